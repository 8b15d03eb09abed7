import { createServer, type AddressInfo } from 'node:net';
import { readdir } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import * as file from '#features/file/file.contract.ts';
import { checkAssessTeamRoster } from '#features/team/roster/roster.contract.ts';
import { setPermission } from '#testing/factories.ts';
import { class3 } from '#testing/files/classList.ts';
import { workbookParts, zipOf } from '#testing/files/workbook.ts';
import { startServer } from '#testing/server.ts';

/** Uploads as requests to inner hosts: whatever a file names, the server reads the bytes and calls nobody. */

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const cells = class3
  .map((row) => `<row>${row.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`)
  .join('');

/** 晨光中学, where 陈静怡 imports lists and 马主任 uploads, and a server on loopback that counts its visitors. */
async function watched() {
  const server = await startServer();
  await setPermission(server, 'U_MA', '00030', 'grant');
  let visits = 0;
  const trap = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void trap.close(() => resolve())));
  const address = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
  /** The code and the words of a refusal; 0 when the file was taken. */
  const answerOf = (call: Promise<unknown>): Promise<{ code: number; message: string }> =>
    call.then(
      () => ({ code: 0, message: '' }),
      (error: unknown) => error as { code: number; message: string },
    );
  const importList = (content: Buffer, filename = '名单.xlsx') =>
    answerOf(server.as('chen')(checkAssessTeamRoster, { createteam: '1' }, { filename, mime: xlsx, content }));
  const upload = (content: string | Buffer, filename: string, mime: string, biztype: 'case' | 'article' = 'case') =>
    answerOf(
      server.as(biztype === 'case' ? 'chen' : 'ma')(
        file.updateToOSS,
        { biztype },
        { filename, mime, content: Buffer.from(content) },
      ),
    );
  return { ...server, address, importList, upload, visits: () => visits };
}

const external = (target: string, type: string) =>
  `<Relationships><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}" TargetMode="External"/></Relationships>`;

test('a workbook with external links, remote pictures, data connections and web links is read, and nobody is called', async () => {
  const { address, importList, visits } = await watched();
  const parts = {
    ...workbookParts(cells),
    'xl/externalLinks/externalLink1.xml': '<externalLink><externalBook/></externalLink>',
    'xl/externalLinks/_rels/externalLink1.xml.rels': external(`${address}/book.xlsx`, 'externalLinkPath'),
    'xl/worksheets/_rels/sheet1.xml.rels': external(`${address}/page`, 'hyperlink'),
    'xl/drawings/_rels/drawing1.xml.rels': external(`${address}/picture.png`, 'image'),
    'xl/connections.xml': `<connections><connection id="1" type="4"><webPr url="${address}/data"/></connection></connections>`,
  };
  expect(await importList(await zipOf(parts))).toMatchObject({ code: 0 });
  const formula = cells.replace('<row>', `<row><c t="str"><f>WEBSERVICE("${address}/x")</f><v>a</v></c>`);
  await importList(await zipOf(workbookParts(formula)));
  expect(visits()).toBe(0);
  // The trap does count a visitor.
  await fetch(address).catch(() => undefined);
  expect(visits()).toBe(1);
});

test('a workbook whose sheet or main part lies at a web address or outside of the archive is refused, and nobody is called', async () => {
  const { address, importList, visits } = await watched();
  for (const target of [`${address}/sheet.xml`, '../../../../etc/passwd', 'file:///etc/passwd']) {
    const sheet = { ...workbookParts(cells), 'xl/_rels/workbook.xml.rels': external(target, 'worksheet') };
    expect(await importList(await zipOf(sheet))).toMatchObject({
      code: expect.any(Number) as number,
      message: expect.stringMatching(/请/) as string,
    });
    const main = { ...workbookParts(cells), '_rels/.rels': external(target, 'officeDocument') };
    expect((await importList(await zipOf(main))).code).not.toBe(0);
  }
  expect(visits()).toBe(0);
});

test('entities of a workbook, outer and growing ones, are refused in every part with words in Chinese, and nobody is called', async () => {
  const { address, importList, visits } = await watched();
  const outer = `<!DOCTYPE x [<!ENTITY % e SYSTEM "${address}/dtd"> %e; <!ENTITY f SYSTEM "${address}/file">]>`;
  const growing = Array.from({ length: 20 }, (_, i) => `<!ENTITY ${'b'.repeat(i + 1)} "&a;&a;">`);
  const laughs = `<!DOCTYPE x [<!ENTITY a "haha">${growing.join('')}]>`;
  for (const type of [outer, laughs])
    for (const part of ['xl/workbook.xml', 'xl/worksheets/sheet1.xml', 'xl/sharedStrings.xml', '_rels/.rels']) {
      const parts: Record<string, string> = workbookParts(cells, { shared: '<si><t>a</t></si>' });
      parts[part] = type + (parts[part] ?? '');
      const { code, message } = await importList(await zipOf(parts));
      expect([part, code !== 0, /[\u4e00-\u9fff].*请/.test(message)]).toEqual([part, true, true]);
    }
  expect(visits()).toBe(0);
});

test('a workbook that inflates a thousand times is refused, and the next list is read', async () => {
  const { importList } = await watched();
  const bomb = await zipOf({
    ...workbookParts(cells),
    'xl/worksheets/sheet1.xml': `<worksheet>${' '.repeat(120 * 1024 * 1024)}</worksheet>`,
  });
  expect(bomb.length).toBeLessThan(1024 * 1024);
  const { code, message } = await importList(bomb);
  expect([code !== 0, message]).toEqual([true, expect.stringMatching(/请/)]);
  expect(await importList(await zipOf(workbookParts(cells)))).toMatchObject({ code: 0 });
});

test('pictures and documents with remote references are refused or kept as they are, and nobody is called', async () => {
  const { address, upload, visits } = await watched();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
    <image xlink:href="${address}/a.png"/><use href="${address}/b.svg#x"/><style>@import url(${address}/c.css);</style></svg>`;
  for (const [name, mime] of [
    ['图.svg', 'image/svg+xml'],
    ['图.png', 'image/png'],
  ] as const)
    expect(await upload(svg, name, mime)).toMatchObject({
      code: expect.any(Number) as number,
      message: expect.stringMatching(/[\u4e00-\u9fff]/) as string,
    });
  const docx = await zipOf({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<!DOCTYPE x [<!ENTITY f SYSTEM "${address}/file">]><w:document>&f;</w:document>`,
    'word/_rels/document.xml.rels': external(`${address}/template.dotm`, 'attachedTemplate'),
  });
  expect(
    (await upload(docx, '说明.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document')).code,
  ).not.toBe(0);
  const pdf = `%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/URI/URI(${address}/open)>>/AA<</O<</S/GoToR/F(${address}/f)>>>>>>endobj
trailer<</Root 1 0 R>>\n%%EOF\n`;
  await upload(pdf, '说明.pdf', 'application/pdf');
  expect(visits()).toBe(0);
});

test('a file name is a name: no path of it reaches the disk', async () => {
  const { upload, sqlAsOwner, services } = await watched();
  const pdf = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';
  for (const name of [
    '../../../tmp/x.pdf',
    '..\\..\\x.pdf',
    '/etc/cron.d/x.pdf',
    'a\0b.pdf',
    'C:\\x.pdf',
    `${'长'.repeat(300)}.pdf`,
  ])
    expect(await upload(pdf, name, 'application/pdf')).toMatchObject({ code: 0 });
  const rows = await sqlAsOwner<{ filename: string; path: string }>('select filename, path from fileobj');
  expect(rows).toHaveLength(6);
  for (const { filename, path } of rows) {
    expect(filename).not.toMatch(/[/\\\0]/);
    expect(filename.length).toBeLessThanOrEqual(90);
    expect(path).toMatch(/^upload\/[0-9a-f]{2}\/[0-9a-f-]{36}$/);
  }
  expect((await readdir('/tmp')).includes('x.pdf')).toBe(false);
  let stored = 0;
  for await (const { key } of services.storage.list('upload')) stored += key === '' ? 0 : 1;
  expect(stored).toBe(6);
});
