"""A strategy as a service, in plain Python: gRPC and the messages of `junto.v1`, nothing else of Junto.

    python examples/python_service/server.py 127.0.0.1:7000
    junto tournament run --game whist --strategies greedy,grpc://127.0.0.1:7000 --deals 50 --seed 7 --out DIR

Who writes Python can do with less: `junto.strategy.serve` makes this service of a class. This is how one is written in
any language: a server with two methods, made from `proto/junto/v1/strategies.proto`.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import grpc

from junto.v1 import actions_pb2, cards_pb2, catalog_pb2, strategies_pb2, strategies_pb2_grpc


class FirstCard(strategies_pb2_grpc.StrategyServiceServicer):
    """Passes if it may, and plays the first card that it may play."""

    def DescribeStrategy(  # noqa: N802  # as the API names it
        self,
        request: strategies_pb2.DescribeStrategyRequest,  # noqa: ARG002
        context: grpc.ServicerContext,  # noqa: ARG002
    ) -> strategies_pb2.DescribeStrategyResponse:
        """Say who this is and what it plays."""
        described = catalog_pb2.Strategy(
            id="first-card", title="First card", version="1", game_ids=["whist", "napoleon-tw", "hundred"]
        )
        return strategies_pb2.DescribeStrategyResponse(strategy=described)

    def Decide(  # noqa: N802  # as the API names it
        self,
        request: strategies_pb2.DecideRequest,
        context: grpc.ServicerContext,  # noqa: ARG002
    ) -> strategies_pb2.DecideResponse:
        """Decide: the request holds all that the seat knows, and what it may do."""
        action = choose(request.prompt.choices)
        return strategies_pb2.DecideResponse(decision=strategies_pb2.Decision(action=action))


def choose(choices: actions_pb2.Choices) -> actions_pb2.Action:
    """Return the first thing that may be done; a field that is absent is not allowed."""
    if choices.HasField("play_card"):
        card = choices.play_card.cards[0]
        suit = cards_pb2.SUIT_SPADES if card in choices.play_card.naming else None
        return actions_pb2.Action(play_card=actions_pb2.PlayCard(card=card, named_suit=suit))
    if choices.HasField("discard"):
        cards = choices.discard.cards[: choices.discard.count]
        return actions_pb2.Action(discard=actions_pb2.Discard(cards=cards))
    if choices.HasField("pass"):
        action = actions_pb2.Action()
        getattr(action, "pass").SetInParent()  # a keyword of Python
        return action
    if choices.HasField("call_card"):
        return actions_pb2.Action(call_card=actions_pb2.CallCard(card=choices.call_card.cards[0]))
    if choices.HasField("choose_trump"):
        return actions_pb2.Action(choose_trump=actions_pb2.ChooseTrump(suit=choices.choose_trump.suits[0]))
    return actions_pb2.Action(bid=choices.bid.bids[0])


def main(address: str = "127.0.0.1:7000") -> None:
    """Serve until the process is told to end."""
    server = grpc.server(ThreadPoolExecutor(4), options=[("grpc.so_reuseport", 0)])
    strategies_pb2_grpc.add_StrategyServiceServicer_to_server(FirstCard(), server)
    port = server.add_insecure_port(address)
    server.start()
    print(f"listening at {address.rpartition(':')[0]}:{port}", flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    main(*sys.argv[1:])
