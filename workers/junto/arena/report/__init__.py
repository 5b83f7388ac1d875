"""What a tournament leaves behind: standings as JSON, deals as Parquet, a report as HTML. See docs/arena.md."""
