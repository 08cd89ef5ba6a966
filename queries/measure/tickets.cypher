// kind: fragment
// All tickets.
MATCH (x:Ticket) WHERE visible(x)
