import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timestamptz } from '#server/db/parsers.ts';
import { Pools } from '#server/db/pools.ts';
import { freshDatabase } from '#testing/server.ts';

/** Words that make PostgreSQL quote, and words that look as if they did. */
const word = fc.oneof(
  fc.constantFrom(
    '00055',
    'NULL',
    'null',
    'NULLIF',
    '',
    ' ',
    '{',
    '}',
    '{}',
    '[1:2]={a}',
    'a,b',
    '"',
    '\\',
    '\\"',
    '预警',
    'C00000001',
  ),
  fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '')),
);
const lists = fc.array(fc.option(word, { freq: 6 }), { maxLength: 8 });

test('a list of words comes back from the database as it was given, whatever stands in it', async () => {
  const pools = new Pools(await freshDatabase(), (error) => {
    throw error;
  });
  await fc.assert(
    fc.asyncProperty(fc.array(lists, { minLength: 1, maxLength: 20 }), async (given) => {
      const { rows } = await pools.stats.query<{ list: (string | null)[] }>(
        'select array(select jsonb_array_elements_text(l.one)) as list from jsonb_array_elements($1::jsonb) l (one)',
        [JSON.stringify(given)],
      );
      expect(rows.map((row) => row.list)).toEqual(given);
    }),
    { numRuns: 50 },
  );
  const odd = await pools.stats.query(
    "select array[['a', 'b'], ['c', 'd']] as nested, '[3:4]={a,b}'::text[] as shifted, '{}'::text[] as none",
  );
  expect(odd.rows).toEqual([
    {
      nested: [
        ['a', 'b'],
        ['c', 'd'],
      ],
      shifted: ['a', 'b'],
      none: [],
    },
  ]);
  await pools.end();
});

const two = (n: number) => String(n).padStart(2, '0');

test('a time is the millisecond the database wrote, in whatever whole hour its clock stands', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0100-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
      fc.stringMatching(/^(\.\d{1,6})?$/),
      fc.integer({ min: -15, max: 15 }),
      (date, fraction, zone) => {
        const [day, clock] = date.toISOString().slice(0, 19).split('T') as [string, string];
        const sign = `${zone < 0 ? '-' : '+'}${two(Math.abs(zone))}`;
        const millis = fraction.slice(1, 4).padEnd(3, '0');
        expect(timestamptz(`${day} ${clock}${fraction}${sign}`)).toEqual(new Date(`${day}T${clock}.${millis}${sign}:00`));
      },
    ),
    { numRuns: 2000 },
  );
});

test('the database’s own words for times are read, the rare ones too', async () => {
  const pools = new Pools(await freshDatabase(), (error) => {
    throw error;
  });
  const client = await pools.stats.connect();
  const times = [
    '2026-03-02 09:05:00.123456+00',
    '1999-12-31 23:59:59.999999+00',
    '0044-03-15 12:00:00+00',
    '12026-01-01 00:00:00+00',
    '0044-03-15 12:00:00+00 BC',
    '1900-01-01 00:00:00+00',
  ];
  for (const zone of ['UTC', 'Asia/Shanghai', 'Asia/Kolkata', 'America/St_Johns']) {
    await client.query(`set timezone = '${zone}'`);
    const { rows } = await client.query<{ time: Date; ms: number }>(
      'select t::timestamptz as time, floor(extract(epoch from t::timestamptz) * 1000) as ms from unnest($1::text[]) t',
      [times],
    );
    expect(rows.map((row) => row.time.getTime())).toEqual(rows.map((row) => row.ms));
  }
  const { rows } = await client.query(
    "select 'infinity'::timestamptz as never, '-infinity'::timestamptz as ever, null::timestamptz as none",
  );
  expect(rows).toEqual([{ never: Infinity, ever: -Infinity, none: null }]);
  client.release();
  await pools.end();
});
