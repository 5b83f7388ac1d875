"""A program that watches a table over many gRPC streams: `python sleeper.py ADDRESS TABLE STREAMS`.

It says `open` once every stream has brought something. Whoever runs it stops it then, by SIGSTOP: to the server its
connections look alive and are not.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack, aclosing

from junto.client import Client
from junto.v1.tables_pb2 import WatchTableRequest


async def main(address: str, table_id: str, streams: int) -> None:
    """Open the streams, and hold them."""
    async with AsyncExitStack() as stack:
        for number in range(streams):
            client = await stack.enter_async_context(Client(address))
            await client.sign_in_as_guest(f"Sleeper {number}")
            watching = client.tables.watch_table(WatchTableRequest(table_id=table_id))
            await anext(await stack.enter_async_context(aclosing(watching)))
        print("open", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
