"""The version of roundwatch: the package's metadata is made from this line."""

VERSION = "0.1.0"
