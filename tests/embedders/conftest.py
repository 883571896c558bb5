import pytest

from tests.embedders.service import Service


@pytest.fixture
def service():
    one = Service()
    yield one
    one.close()
