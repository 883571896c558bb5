"""`python -m memoranda.cli`: the command where no script is installed."""

import sys

from memoranda.cli import main

sys.exit(main())
