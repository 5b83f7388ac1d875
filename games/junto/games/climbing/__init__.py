"""Climbing games: who is to play beats the top play or passes, and wants to be out of cards first."""
