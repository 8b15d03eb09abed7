import {
  IconAlertTriangle,
  IconArchive,
  IconBuilding,
  IconCalendar,
  IconChartBar,
  IconClipboardList,
  IconFileText,
  IconMessage,
  IconReport,
  IconShieldLock,
  IconSitemap,
  IconSpeakerphone,
  IconUser,
  IconUsers,
  type Icon,
} from '@tabler/icons-react';

const icons: Readonly<Record<string, Icon>> = {
  report: IconReport,
  chart: IconChartBar,
  user: IconUser,
  users: IconUsers,
  alert: IconAlertTriangle,
  archive: IconArchive,
  clipboard: IconClipboardList,
  message: IconMessage,
  building: IconBuilding,
  shield: IconShieldLock,
  sitemap: IconSitemap,
  speakerphone: IconSpeakerphone,
  calendar: IconCalendar,
};

/** Returns the icon of a menu item, by its name in `menu.ts`. */
export const iconOf = (name: string): Icon => icons[name] ?? IconFileText;
