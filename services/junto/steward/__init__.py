"""The steward: works off what is due at the tables, and is the one role that drives Ray."""
