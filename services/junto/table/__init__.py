"""The table: its pure core, its store, and the settings that all roles share."""
