"""Baohuang (保皇): five players, four packs, an emperor and his secret guard. See `docs/games/baohuang.md`."""
