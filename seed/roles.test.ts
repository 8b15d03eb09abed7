import { expect, test } from 'vitest';
import { codesOfMenus, menusOfCodes } from '#contract/menuTree.ts';
import { roles } from '#seed/roles.ts';

test('a built-in role has the directory of every screen that it opens, so that its menu shows the screen', () => {
  for (const { rolename, codes } of roles) {
    const missing = codesOfMenus(menusOfCodes(new Set(codes))).filter((code) => !codes.includes(code));
    expect([rolename, missing]).toEqual([rolename, []]);
  }
});
