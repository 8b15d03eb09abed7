/**
 * Returns a PDF with one page of text. Its font is one that every PDF reader has for Chinese, so the file contains no font and
 * is small.
 * @param lines the lines below the title, each of at most about forty characters
 */
export function pageOfText(title: string, lines: readonly string[]): Uint8Array {
  const text = [
    `BT /F1 18 Tf 72 750 Td <${hex(title)}> Tj ET`,
    ...lines.map((line, index) => `BT /F1 11 Tf 72 ${708 - index * 24} Td <${hex(line)}> Tj ET`),
  ].join('\n');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${text.length}>>\nstream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[6 0 R]>>',
    '<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light' +
      '/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 4>>/DW 1000/FontDescriptor 7 0 R>>',
    '<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/FontBBox[-25 -254 1000 880]' +
      '/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 880/StemV 93>>',
  ];
  let body = '%PDF-1.4\n';
  const starts = objects.map((object, index) => {
    const start = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return start;
  });
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  body += `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body, 'latin1');
}

/** Returns the hexadecimal UTF-16 of a text, high byte first, for the encoding of the font. */
const hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');
