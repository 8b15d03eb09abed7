import { ActionIcon, Button } from '@mantine/core';
import {
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconMenu2,
} from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { notify } from '#ui/feedback/notify.ts';
import { useUser } from '#ui/api/session.ts';
import type { Navigation } from '#console/navigation.ts';
import { openScreenHere } from '#console/shell/frame/openScreenHere.ts';
import { AccountMenu } from '#console/shell/account/AccountMenu.tsx';
import { Downloads } from '#console/shell/downloads/Downloads.tsx';
import { Notices } from '#console/shell/notices/Notices.tsx';
import type { ShellSettings } from '#console/shell/frame/settings.ts';
import { SearchButton } from '#console/shell/search/SearchButton.tsx';
import { TopMenu } from '#console/shell/menu/TopMenu.tsx';
import classes from './Shell.module.css';

interface Props {
  plan: Navigation;
  active: string;
  settings: ShellSettings;
  mobile: boolean;
  open: boolean;
  toggle: () => void;
}

/** A picture that cannot load leaves no gap beside the name. */
const hide = (event: { currentTarget: HTMLImageElement }) => {
  event.currentTarget.hidden = true;
};

/** The header: institution, top menu and the account's functions. */
export function Header({ plan, active, settings, mobile, open, toggle }: Props) {
  const user = useUser();
  const Toggle = mobile ? IconMenu2 : open ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand;
  return (
    <div className={classes['header']} role="region" aria-label="顶栏">
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-expanded={open}
        aria-label={open ? '收起菜单' : '展开菜单'}
        onClick={toggle}
      >
        <Toggle size={20} stroke={1.6} />
      </ActionIcon>
      {user.logo && <img key={user.logo} className={classes['logo']} src={user.logo} alt="" onError={hide} />}
      <span className={classes['institution']} title={user.insname}>
        {user.insname || 'AI智慧心理-管理端'}
      </span>
      {!mobile && settings.top && <TopMenu plan={plan} active={active} />}
      <div className={classes['navbar']}>
        {user.website && (
          <Button
            component="a"
            href={user.website}
            target="_blank"
            rel="noopener"
            variant="subtle"
            color="gray"
            size="compact-sm"
            visibleFrom="md"
          >
            官网
          </Button>
        )}
        {user.navextra && (
          <Button
            component="a"
            href="/screen"
            target="_blank"
            onClick={(event) => {
              event.preventDefault();
              void openScreenHere();
            }}
            variant="subtle"
            color="gray"
            size="compact-sm"
            visibleFrom="md"
          >
            数据大屏
          </Button>
        )}
        <SearchButton plan={plan} />
        <Downloads />
        <Notices />
        {!mobile && <Fullscreen />}
        <AccountMenu plan={plan} settings={settings} />
      </div>
    </div>
  );
}

function Fullscreen() {
  const [full, setFull] = useState(() => document.fullscreenElement !== null);
  useEffect(() => {
    const onChange = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', onChange);
    return () => document.removeEventListener('fullscreenchange', onChange);
  }, []);
  const toggle = () => {
    if (!document.fullscreenEnabled) return notify.warn('您的浏览器不支持全屏');
    (full ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() =>
      notify.warn('您的浏览器不支持全屏'),
    );
  };
  const Picture = full ? IconArrowsMinimize : IconArrowsMaximize;
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={full ? '退出全屏' : '全屏'} onClick={toggle}>
      <Picture size={18} stroke={1.6} />
    </ActionIcon>
  );
}
