import { Menu, useMantineColorScheme } from '@mantine/core';
import {
  IconKey,
  IconLayoutNavbar,
  IconLogout,
  IconMoon,
  IconQrcode,
  IconSun,
  IconSwitchHorizontal,
  IconTags,
  IconUserCircle,
} from '@tabler/icons-react';
import { ask } from '#ui/ask.tsx';
import { PopupMenu } from '#ui/PopupMenu.tsx';
import { Link } from '#ui/router.tsx';
import { say, sayError } from '#ui/say.ts';
import { useUser } from '#ui/session.ts';
import type { Popup } from '#ui/usePopup.ts';
import { leaveActing, signOut } from '#console/session.ts';
import { leaveFlash } from '#console/storage.ts';
import { takeApp, useApps } from '#console/shell/apps.ts';
import type { ShellSettings } from '#console/shell/settings.ts';

interface Props extends Popup {
  settings: ShellSettings;
  setDialog: (dialog: 'password' | 'qr') => void;
}

/** What opens under an account's name. */
export function AccountItems({ settings, setDialog, ...popup }: Props) {
  const user = useUser();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { apps = [] } = useApps(popup.opened);
  const switchTo = async (appid: string) => {
    if (!(await ask('此操作将切换应用，是否继续？'))) return say.info('已取消切换');
    try {
      await takeApp(appid);
      leaveFlash('done', '切换成功');
      location.reload();
    } catch (error) {
      sayError(error);
    }
  };
  const acting = user.loginasby !== '';
  const leave = async () => {
    if (acting) return leaveActing();
    if (await ask('确定退出登录吗？')) await signOut();
  };
  const dark = colorScheme === 'dark';
  return (
    <PopupMenu {...popup} width={210}>
      {!acting && (
        <>
          <Menu.Item component={Link} to="/profile" leftSection={<IconUserCircle size={16} aria-hidden />}>
            个人中心
          </Menu.Item>
          <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => setDialog('password')}>
            修改密码
          </Menu.Item>
        </>
      )}
      <Menu.Item leftSection={<IconQrcode size={16} aria-hidden />} onClick={() => setDialog('qr')}>
        机构二维码
      </Menu.Item>
      {apps.length > 0 && (
        <Menu.Sub>
          <Menu.Sub.Target>
            <Menu.Sub.Item leftSection={<IconSwitchHorizontal size={16} aria-hidden />}>切换应用</Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>
            {apps.map((app) => (
              <Menu.Item key={app.appid} disabled={app.appid === user.appid} onClick={() => void switchTo(app.appid)}>
                {app.appname}
                {app.appid === user.appid ? '（当前）' : ''}
              </Menu.Item>
            ))}
          </Menu.Sub.Dropdown>
        </Menu.Sub>
      )}
      <Menu.Divider />
      <Menu.Item
        leftSection={dark ? <IconSun size={16} aria-hidden /> : <IconMoon size={16} aria-hidden />}
        onClick={() => setColorScheme(dark ? 'light' : 'dark')}
      >
        {dark ? '浅色模式' : '深色模式'}
      </Menu.Item>
      <Menu.Item
        visibleFrom="md"
        leftSection={<IconTags size={16} aria-hidden />}
        onClick={() => settings.change({ tabs: !settings.tabs })}
      >
        {settings.tabs ? '关闭标签页' : '开启标签页'}
      </Menu.Item>
      <Menu.Item
        visibleFrom="md"
        leftSection={<IconLayoutNavbar size={16} aria-hidden />}
        onClick={() => settings.change({ top: !settings.top })}
      >
        {settings.top ? '隐藏顶部菜单' : '显示顶部菜单'}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
        {acting ? '退出代登录' : '退出登录'}
      </Menu.Item>
    </PopupMenu>
  );
}
