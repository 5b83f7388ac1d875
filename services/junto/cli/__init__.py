"""The `junto` command: one small module per command, loaded only when it is the one that is called."""
