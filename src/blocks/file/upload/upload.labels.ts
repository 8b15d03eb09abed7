import {
  fileGroups,
  fileKinds,
  fileUses,
  acceptedKindOf,
  describeAcceptedKinds,
  type FileUseKey,
} from '#domain/files/filekind.ts';

/** Returns a number of bytes as text: “340 KB”, “1.5 MB”. */
export function sizeLabel(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB'];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value < 10 && power > 1 ? Number(value.toFixed(1)) : Math.round(value)} ${units[power - 1]}`;
}

/** Returns a rest of time in seconds as text: “40 秒”, “5 分钟”, “1 小时 10 分钟”. */
export function restLabel(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} 秒`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} 分钟`;
  return minutes % 60 === 0 ? `${minutes / 60} 小时` : `${Math.floor(minutes / 60)} 小时 ${minutes % 60} 分钟`;
}

/** Returns how far a running upload is: “已上传 35 MB，共 120 MB，每秒 2.1 MB，约剩 40 秒”. `speed` is in bytes a second, 0 if unknown. */
export function progressLabel(sent: number, size: number, speed: number): string {
  const done = `已上传 ${sizeLabel(sent)}，共 ${sizeLabel(size)}`;
  return speed > 0 ? `${done}，每秒 ${sizeLabel(Math.round(speed))}，约剩 ${restLabel((size - sent) / speed)}` : done;
}

/** Returns until when an upload can go on: “10-09 10:00 前可以继续”. */
export const expiryLabel = (expiretime: string): string => `${expiretime.slice(5, 16)} 前可以继续`;

/** Returns why the server would refuse a file, or undefined. The check spares the user minutes of uploading a file that is too large. */
export function uploadFault(file: File, use: FileUseKey): string | undefined {
  if (file.size === 0) return '文件是空的';
  const kind = acceptedKindOf(use, file.type);
  if (!kind) return `${fileUses[use].title}只接受${describeAcceptedKinds(use)}`;
  const { title, maxBytes } = fileGroups[fileKinds[kind].group];
  return file.size > maxBytes ? `${title}不能超过 ${maxBytes / 1024 ** 2} MB，请压缩后再上传` : undefined;
}
