"""The domain's objects as messages, and back; the one place where views are built.

`write_...` makes a message of a domain's object, `read_...` the object of a message. A view is built by
inclusion: from an empty message, out of `Shared` and one seat's `Own` alone.
"""
