/** Users may upload seven file types. The server recognises a type by its first bytes, never by the file name. */

/** The media type, the ending and the group of each file type. */
export const fileKinds = {
  png: { mime: 'image/png', ext: 'png', group: 'image' },
  jpeg: { mime: 'image/jpeg', ext: 'jpg', group: 'image' },
  webp: { mime: 'image/webp', ext: 'webp', group: 'image' },
  pdf: { mime: 'application/pdf', ext: 'pdf', group: 'document' },
  mp3: { mime: 'audio/mpeg', ext: 'mp3', group: 'audio' },
  mp4: { mime: 'video/mp4', ext: 'mp4', group: 'video' },
  xlsx: { mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ext: 'xlsx', group: 'workbook' },
} as const;
export type FileKind = keyof typeof fileKinds;
export type FileGroup = (typeof fileKinds)[FileKind]['group'];

const MB = 1024 * 1024;
/** The greatest size of one file in each group, in bytes, with the Chinese name of the group. */
export const fileGroups: Readonly<Record<FileGroup, { title: string; maxBytes: number }>> = {
  image: { title: '图片', maxBytes: 5 * MB },
  document: { title: 'PDF', maxBytes: 20 * MB },
  audio: { title: 'MP3', maxBytes: 50 * MB },
  video: { title: 'MP4', maxBytes: 500 * MB },
  workbook: { title: 'Excel', maxBytes: MB },
};

interface FileUse {
  title: string;
  groups: readonly FileGroup[];
  /** a public file opens for everybody who has the address; the address does not expire */
  canBePublic: boolean;
  /** longer side in pixels to which the server reduces a picture that the screens only show small */
  side?: number;
}

/** The uses of a file (`biztype`). The use decides which types are accepted and whether the file may be public. */
export const fileUses = {
  avatar: { title: '头像', groups: ['image'], canBePublic: true, side: 512 },
  logo: { title: '机构标志', groups: ['image'], canBePublic: true, side: 512 },
  goods: { title: '商品图', groups: ['image'], canBePublic: true },
  article: { title: '配图', groups: ['image'], canBePublic: true },
  music: { title: '音频', groups: ['image', 'audio'], canBePublic: true },
  course: { title: '资料', groups: ['image', 'document', 'video'], canBePublic: true },
  licence: { title: '授权证明', groups: ['image', 'document'], canBePublic: false },
  consent: { title: '知情同意书', groups: ['image', 'document'], canBePublic: false },
  case: { title: '个案附件', groups: ['image', 'document'], canBePublic: false },
  voucher: { title: '转账凭证', groups: ['image', 'document'], canBePublic: false },
  template: { title: '上报表格', groups: ['workbook'], canBePublic: false },
} as const satisfies Record<string, FileUse>;
export type FileUseKey = keyof typeof fileUses;
export const fileUseKeys = Object.keys(fileUses) as [FileUseKey, ...FileUseKey[]];

/** The longer side, in pixels, of a stored picture of this use; undefined where only the general limit applies. */
export const maxSideOf = (use: FileUseKey): number | undefined => (fileUses[use] as FileUse).side;

/** The uses that 文件上传 offers. All other files are uploaded with their own form. */
export const libraryUses = ['article', 'music', 'course', 'goods'] as const satisfies readonly FileUseKey[];

/** The greatest size that a file of this use may have, in bytes. The limit of its own type may be smaller. */
export const maxBytesOf = (use: FileUseKey): number =>
  Math.max(...(fileUses[use] as FileUse).groups.map((group) => fileGroups[group].maxBytes));

/** The kind of a detected media type if this use accepts it, else undefined. */
export function acceptedKindOf(use: FileUseKey, mime: string | undefined): FileKind | undefined {
  const kind = (Object.keys(fileKinds) as FileKind[]).find((key) => fileKinds[key].mime === mime);
  return kind && (fileUses[use] as FileUse).groups.includes(fileKinds[kind].group) ? kind : undefined;
}

/** The groups of files that a use accepts; of these the one that a field asks for. */
const groupsOf = (use: FileUseKey, only: FileGroup | undefined): readonly FileGroup[] =>
  (fileUses[use] as FileUse).groups.filter((group) => only === undefined || group === only);

/** The accepted types of a use as text: “图片（PNG、JPG、WebP，5 MB 以内）或 PDF（20 MB 以内）”; of these one group. */
export function describeAcceptedKinds(use: FileUseKey, only?: FileGroup): string {
  return groupsOf(use, only)
    .map((group) => {
      const { title, maxBytes } = fileGroups[group];
      return `${title}（${group === 'image' ? 'PNG、JPG、WebP，' : ''}${maxBytes / MB} MB 以内）`;
    })
    .join('或 ');
}

/** The media types for the file chooser of a browser, separated by commas; of these one group. */
export const acceptedMimeTypes = (use: FileUseKey, only?: FileGroup): string =>
  (Object.keys(fileKinds) as FileKind[])
    .filter((key) => groupsOf(use, only).includes(fileKinds[key].group))
    .map((key) => fileKinds[key].mime)
    .join(',');

/** A file name without its path, without control or direction marks and without characters that a system refuses. */
export const cleanFilename = (name: string): string =>
  name
    .replace(/^.*[\\/]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}"<>:|?*\\/]/gu, '')
    .trim() || '文件';

/** A file name that every system accepts: `cleanFilename`, at most 80 characters, with the given ending. */
export function safeFilename(name: string, ext: string): string {
  const stem = cleanFilename(name)
    .replace(/\.[A-Za-z0-9]{1,8}$/, '')
    .replace(/^[. ]+|[. ]+$/g, '');
  return `${[...stem].slice(0, 80).join('') || '文件'}.${ext}`;
}
