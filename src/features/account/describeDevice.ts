/** Returns the operating system and browser of a user agent string, without versions. */
export function describeDevice(useragent: string): string {
  const system = /HarmonyOS/.test(useragent)
    ? '鸿蒙'
    : /iPhone|iPad/.test(useragent)
      ? 'iOS'
      : /Android/.test(useragent)
        ? '安卓'
        : /Windows/.test(useragent)
          ? 'Windows'
          : /Mac OS X/.test(useragent)
            ? 'macOS'
            : /Linux/.test(useragent)
              ? 'Linux'
              : '';
  const browser = /MicroMessenger/.test(useragent)
    ? '微信'
    : /Edg\//.test(useragent)
      ? 'Edge'
      : /Firefox\//.test(useragent)
        ? 'Firefox'
        : /Chrome\//.test(useragent)
          ? 'Chrome'
          : /Safari\//.test(useragent)
            ? 'Safari'
            : '';
  return [system, browser].filter(Boolean).join(' · ') || '未知设备';
}
