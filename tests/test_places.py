"""An address that ends in the path of a loaded document names it, wherever it is published."""

import pytest

from brain.connectors.company import Company
from brain.connectors.identities import Identities
from brain.connectors.places import doc_at


@pytest.mark.parametrize(
    ("address", "found"),
    [("https://github.com/acme/x/blob/main/docs/runbooks/cold.md", True), ("https://docs.acme.example/docs/runbooks/cold", True), ("docs/runbooks/cold.md#top", True),
     ("../docs/runbooks/cold.md?x=1", True), ("https://acme.example/docs/runbooks/hot.md", False), ("", False), ("https://acme.example/", False), ("cold.md", False)],
)  # fmt: skip
def test_the_longest_end_that_is_a_document_s_path_counts(address, found):
    company = Company(Identities())
    company.thing("doc:docs/runbooks/cold.md", "Cold kilns")
    assert doc_at(company, address) == ("doc:docs/runbooks/cold.md" if found else None)
