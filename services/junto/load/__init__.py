"""Load tests: many tables and clients through the real API, with arrivals that do not wait for the server."""
