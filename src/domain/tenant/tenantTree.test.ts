import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canBeChildOf, moveUnder, placeUnder, type Place } from '#domain/tenant/tenantTree.ts';

const platform: Place = {
  musercode: 'P',
  musertype: '001',
  parentmusercode: null,
  categorylevel: 0,
  categorycodes: ['P', '', '', '', '', ''],
  orgpath: 'P.',
};
const below = (parent: Place, musercode: string, musertype: string) => {
  const placed = placeUnder({ musercode, musertype }, parent);
  if (!placed) throw new Error(`${musercode} is too deep`);
  return placed;
};
const anlan = below(platform, 'ANLAN', '002');
const bureau = below(anlan, 'JYJ', '003');
const school = below(anlan, 'XX', '005');
const campus = below(school, 'XQ', '005');

test('a school stands at level 3 below a provider at level 1, with level 2 left out', () => {
  expect(school).toEqual({
    musercode: 'XX',
    musertype: '005',
    parentmusercode: 'ANLAN',
    categorylevel: 3,
    categorycodes: ['P', 'ANLAN', '', 'XX', '', ''],
    orgpath: 'P.ANLAN.XX.',
  });
  expect(campus).toMatchObject({
    categorylevel: 4,
    categorycodes: ['P', 'ANLAN', '', 'XX', 'XQ', ''],
    orgpath: 'P.ANLAN.XX.XQ.',
  });
});

test('a school moved below its bureau keeps its level; its campus moves along', () => {
  expect(moveUnder('XX', [campus, school], bureau)).toEqual({
    places: [
      { ...school, parentmusercode: 'JYJ', categorycodes: ['P', 'ANLAN', 'JYJ', 'XX', '', ''], orgpath: 'P.ANLAN.JYJ.XX.' },
      { ...campus, categorycodes: ['P', 'ANLAN', 'JYJ', 'XX', 'XQ', ''], orgpath: 'P.ANLAN.JYJ.XX.XQ.' },
    ],
  });
});

test('nothing moves below itself, below a type that cannot hold it, or deeper than level 5', () => {
  expect(moveUnder('XX', [school, campus], campus)).toEqual({ refused: 'below itself' });
  expect(moveUnder('XX', [school, campus], school)).toEqual({ refused: 'below itself' });
  expect(moveUnder('JYJ', [bureau], campus)).toEqual({ refused: 'wrong type' });
  const unit = below(campus, 'DW', '005');
  const other = below(anlan, 'YY', '005');
  expect(moveUnder('XX', [school, campus, unit], other)).toEqual({ refused: 'too deep' });
});

const types = fc.constantFrom('002', '003', '004', '005');
/** Trees grown by adding one node after the other wherever it may stand. */
const forest = fc.array(fc.tuple(types, fc.nat()), { minLength: 2, maxLength: 30 }).map((shape) => {
  const nodes = [platform];
  shape.forEach(([type, at], index) => {
    const parent = nodes[at % nodes.length] as Place;
    const placed = canBeChildOf(parent.musertype, type)
      ? placeUnder({ musercode: `N${index}`, musertype: type }, parent)
      : undefined;
    if (placed) nodes.push(placed);
  });
  return nodes;
});

test('every path lists exactly the ancestors after any move', () => {
  fc.assert(
    fc.property(forest, fc.nat(), fc.nat(), (nodes, from, to) => {
      const root = nodes[from % nodes.length] as Place;
      const parent = nodes[to % nodes.length] as Place;
      if (root === platform) return;
      const subtree = nodes.filter((node) => node.orgpath.startsWith(root.orgpath));
      const moved = moveUnder(root.musercode, subtree, parent);
      if ('refused' in moved) {
        if (moved.refused === 'below itself') expect(subtree).toContain(parent);
        return;
      }
      expect(moved.places.map((node) => node.musercode).sort()).toEqual(subtree.map((node) => node.musercode).sort());
      for (const node of moved.places) {
        const up =
          node.parentmusercode === parent.musercode
            ? parent
            : moved.places.find((place) => place.musercode === node.parentmusercode);
        expect(node.orgpath).toBe(`${up?.orgpath}${node.musercode}.`);
        expect(`${node.categorycodes.filter(Boolean).join('.')}.`).toBe(node.orgpath);
        expect(node.categorycodes[node.categorylevel]).toBe(node.musercode);
        expect(node.categorylevel).toBeLessThanOrEqual(5);
      }
    }),
  );
});
