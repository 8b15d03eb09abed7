import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canBeChildOf, moveUnder, placeUnder, type TenantNode } from '#domain/tenant/tenantTree.ts';

const platform: TenantNode = {
  musercode: 'P',
  musertype: '001',
  parentmusercode: null,
  categorylevel: 0,
  categorycodes: ['P', '', '', '', '', ''],
  orgpath: 'P.',
};
const addChild = (parent: TenantNode, musercode: string, musertype: string) => {
  const node = placeUnder({ musercode, musertype }, parent);
  if (!node) throw new Error(`${musercode} is too deep`);
  return node;
};
const anlan = addChild(platform, 'ANLAN', '002');
const bureau = addChild(anlan, 'JYJ', '003');
const school = addChild(anlan, 'XX', '005');
const campus = addChild(school, 'XQ', '005');

test('a school directly below a provider has level 3, and level 2 stays empty', () => {
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

test('a school that moves below its bureau keeps its level, and its campus moves with it', () => {
  expect(moveUnder('XX', [campus, school], bureau)).toEqual({
    places: [
      { ...school, parentmusercode: 'JYJ', categorycodes: ['P', 'ANLAN', 'JYJ', 'XX', '', ''], orgpath: 'P.ANLAN.JYJ.XX.' },
      { ...campus, categorycodes: ['P', 'ANLAN', 'JYJ', 'XX', 'XQ', ''], orgpath: 'P.ANLAN.JYJ.XX.XQ.' },
    ],
  });
});

test('an institution cannot move below itself, below a wrong type, or deeper than level 5', () => {
  expect(moveUnder('XX', [school, campus], campus)).toEqual({ refusal: 'below itself' });
  expect(moveUnder('XX', [school, campus], school)).toEqual({ refusal: 'below itself' });
  expect(moveUnder('JYJ', [bureau], campus)).toEqual({ refusal: 'wrong type' });
  const unit = addChild(campus, 'DW', '005');
  const other = addChild(anlan, 'YY', '005');
  expect(moveUnder('XX', [school, campus, unit], other)).toEqual({ refusal: 'too deep' });
});

const types = fc.constantFrom('002', '003', '004', '005');
/** Random trees: each candidate is added below a random parent, if the types and the depth allow it. */
const trees = fc.array(fc.tuple(types, fc.nat()), { minLength: 2, maxLength: 30 }).map((candidates) => {
  const nodes = [platform];
  candidates.forEach(([type, parentIndex], index) => {
    const parent = nodes[parentIndex % nodes.length] as TenantNode;
    const node = canBeChildOf(parent.musertype, type)
      ? placeUnder({ musercode: `N${index}`, musertype: type }, parent)
      : undefined;
    if (node) nodes.push(node);
  });
  return nodes;
});

test('every path lists exactly the ancestors after any move', () => {
  fc.assert(
    fc.property(trees, fc.nat(), fc.nat(), (nodes, from, to) => {
      const root = nodes[from % nodes.length] as TenantNode;
      const parent = nodes[to % nodes.length] as TenantNode;
      if (root === platform) return;
      const subtree = nodes.filter((node) => node.orgpath.startsWith(root.orgpath));
      const moved = moveUnder(root.musercode, subtree, parent);
      if ('refusal' in moved) {
        if (moved.refusal === 'below itself') expect(subtree).toContain(parent);
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
