/** Each query finds the institutions whose ledger does not add up to the wallet. One for each number, so that a fault names it. */
export const ledgerTallies = (
  [
    ['granted', "kind in ('01', '02', '06', '08')", 1],
    ['used', "kind = '04'", -1],
    ['expired', "kind = '07'", -1],
    ['granted - used - frozen - expired', "kind <> '04'", 1],
  ] as const
).map(
  ([figure, kinds, sign]) =>
    [
      `the ledger adds up to the wallet: ${figure}`,
      `select c.musercode from assesscount c where ${figure} <> ${sign} * (select coalesce(sum(qty), 0)
        from assesscountlog l where l.musercode = c.musercode and l.plancode = c.plancode and ${kinds})`,
    ] as const,
);
