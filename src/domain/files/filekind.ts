/** What may be uploaded: six types, recognised by their first bytes and never by their names. */

export const fileKinds = {
  png: { mime: 'image/png', ext: 'png', group: 'image' },
  jpeg: { mime: 'image/jpeg', ext: 'jpg', group: 'image' },
  webp: { mime: 'image/webp', ext: 'webp', group: 'image' },
  pdf: { mime: 'application/pdf', ext: 'pdf', group: 'document' },
  mp3: { mime: 'audio/mpeg', ext: 'mp3', group: 'audio' },
  mp4: { mime: 'video/mp4', ext: 'mp4', group: 'video' },
} as const;
export type FileKind = keyof typeof fileKinds;
export type FileGroup = (typeof fileKinds)[FileKind]['group'];

const MB = 1024 * 1024;
/** Greatest size in bytes of one file of a group, with the group's Chinese name. */
export const fileGroups: Readonly<Record<FileGroup, { title: string; most: number }>> = {
  image: { title: '图片', most: 5 * MB },
  document: { title: 'PDF', most: 20 * MB },
  audio: { title: 'MP3', most: 50 * MB },
  video: { title: 'MP4', most: 500 * MB },
};

interface FileUse {
  title: string;
  groups: readonly FileGroup[];
  /** everybody with the address may see it; the address does not expire */
  mayBePublic: boolean;
  /** the longer side of a kept picture in pixels, where it is only ever shown small */
  side?: number;
}

/** What a file is for (`biztype`): decides which types are taken and whether it may be shown without signing in. */
export const fileUses = {
  avatar: { title: '头像', groups: ['image'], mayBePublic: true, side: 512 },
  logo: { title: '机构标志', groups: ['image'], mayBePublic: true, side: 512 },
  goods: { title: '商品图片', groups: ['image'], mayBePublic: true },
  article: { title: '推文图片', groups: ['image'], mayBePublic: true },
  music: { title: '音乐', groups: ['image', 'audio'], mayBePublic: true },
  course: { title: '课程资料', groups: ['image', 'document', 'video'], mayBePublic: true },
  licence: { title: '授权证明', groups: ['image', 'document'], mayBePublic: false },
  consent: { title: '知情同意书', groups: ['image', 'document'], mayBePublic: false },
  case: { title: '个案附件', groups: ['image', 'document'], mayBePublic: false },
} as const satisfies Record<string, FileUse>;
export type FileUseKey = keyof typeof fileUses;
export const fileUseKeys = Object.keys(fileUses) as [FileUseKey, ...FileUseKey[]];

/** The longer side of what is kept of a picture for this use; undefined where it is kept as large as pictures may be. */
export const sideOf = (use: FileUseKey): number | undefined => (fileUses[use] as FileUse).side;

/** Uses whose files lie ready for other screens to choose from: what 文件上传 takes. All other files come with the form they belong to. */
export const libraryUses = ['goods', 'article', 'music', 'course'] as const satisfies readonly FileUseKey[];

/** The kind of a sniffed media type where this use takes it, or undefined. */
export function kindFor(use: FileUseKey, mime: string | undefined): FileKind | undefined {
  const found = (Object.keys(fileKinds) as FileKind[]).find((key) => fileKinds[key].mime === mime);
  return found && (fileUses[use] as FileUse).groups.includes(fileKinds[found].group) ? found : undefined;
}

/** What a use takes, in words: “图片（PNG、JPG、WebP，5 MB 以内）或 PDF（20 MB 以内）”. */
export function acceptedKinds(use: FileUseKey): string {
  return (fileUses[use] as FileUse).groups
    .map((group) => {
      const { title, most } = fileGroups[group];
      return `${title}（${group === 'image' ? 'PNG、JPG、WebP，' : ''}${most / MB} MB 以内）`;
    })
    .join('或 ');
}

/** What the file chooser of a browser offers for a use. */
export const acceptedBy = (use: FileUseKey): string =>
  (Object.keys(fileKinds) as FileKind[])
    .filter((key) => (fileUses[use] as FileUse).groups.includes(fileKinds[key].group))
    .map((key) => fileKinds[key].mime)
    .join(',');

/** A name as every system takes it: no path, no control or direction marks, at most 80 characters, with the type's own ending. */
export function safeFilename(name: string, ext: string): string {
  const stem = name
    .replace(/^.*[\\/]/s, '')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}"<>:|?*\\/]/gu, '')
    .replace(/\.[A-Za-z0-9]{1,8}$/, '')
    .replace(/^[. ]+|[. ]+$/g, '');
  return `${[...stem].slice(0, 80).join('') || '文件'}.${ext}`;
}
