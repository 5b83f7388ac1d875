"""The fronts: the API's servicers behind grpc.aio and behind Connect, and all that stands around them."""
