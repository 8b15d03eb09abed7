import { expect, test } from 'vitest';
import { describeSeveralNames, findSeveralNames } from '#domain/person/names.ts';

test.each([
  ['吴九，郑十', ['吴九', '郑十']],
  ['吴九,郑十', ['吴九', '郑十']],
  ['吴九、郑十；冯一', ['吴九', '郑十', '冯一']],
  ['吴九/郑十', ['吴九', '郑十']],
  ['吴九 郑十', ['吴九', '郑十']],
  ['欧阳晨曦　司马静', ['欧阳晨曦', '司马静']],
  ['Anna Li & Tom Wu', ['Anna Li', 'Tom Wu']],
])('%s seems to be several names', (text, names) => expect(findSeveralNames(text)).toEqual(names));

test.each(['吴九', '吴 九', '欧阳娜娜', '阿依古丽·买买提', 'Anna Maria Li', '和敏', '李和', '王和平', '吴九，', ''])(
  '%s is one name',
  (text) => expect(findSeveralNames(text)).toEqual([]),
);

test('the doubt names the persons it sees', () => {
  expect(describeSeveralNames('吴九，郑十')).toBe('像是 2 个人：“吴九”、“郑十”');
  expect(describeSeveralNames('吴九')).toBeUndefined();
});
