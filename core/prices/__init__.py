"""What calls cost: token counts times the prices of a dated price file. PURE but for reading the shipped file."""

from .cost import Bound, Cost, NoCost, WhyUnknown, call_cost
from .price import Price, Tokens
from .price_file import PriceFault, PriceFile, read_prices
from .price_table import PriceTable
from .pricing import Pricing, call_day
from .shipped import shipped_prices
from .sums import CostSum, total

__all__ = [
    "Bound",
    "Cost",
    "CostSum",
    "NoCost",
    "Price",
    "PriceFault",
    "PriceFile",
    "PriceTable",
    "Pricing",
    "Tokens",
    "WhyUnknown",
    "call_cost",
    "call_day",
    "read_prices",
    "shipped_prices",
    "total",
]
