import { Avatar, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import {
  IconBooks,
  IconChevronDown,
  IconKey,
  IconLayoutNavbar,
  IconLogout,
  IconMoon,
  IconListCheck,
  IconQrcode,
  IconSettings,
  IconSparkles,
  IconSun,
  IconSwitchHorizontal,
  IconTags,
  IconUserCircle,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accountName } from '#domain/tenant/access.ts';
import { call } from '#ui/api/call.ts';
import { invalidateActions } from '#ui/api/useAction.ts';
import { getChecklist, hideChecklist } from '#features/guide/guide.contract.ts';
import type { Navigation } from '#console/navigation.ts';
import { confirm } from '#ui/feedback/confirm.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { Link, useNavigate } from '#ui/router/router.tsx';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { useUser } from '#ui/api/session.ts';
import { leaveActing, signOut } from '#console/session.ts';
import { leaveFlash } from '#console/storage.ts';
import { takeApp, useApps } from '#console/shell/account/apps.ts';
import type { ShellSettings } from '#console/shell/frame/settings.ts';
import classes from '../frame/Shell.module.css';

const ChangePassword = lazyDialog(() => import('#console/shell/account/ChangePassword.tsx').then((file) => file.ChangePassword));
const NewsDrawer = lazyDialog(() => import('#console/news/NewsDrawer.tsx').then((file) => file.NewsDrawer));
const QrDialog = lazyDialog(() => import('#console/shell/account/QrDialog.tsx').then((file) => file.QrDialog));

/** The functions of the signed-in account. */
export function AccountMenu({ plan, settings }: { plan: Navigation; settings: ShellSettings }) {
  const client = useQueryClient();
  const go = useNavigate();
  const [opened, setOpened] = useState(false);
  const [dialog, setDialog] = useState<'password' | 'qr' | 'news'>();
  const user = useUser();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { apps = [] } = useApps(opened);
  const switchTo = async (appid: string) => {
    if (!(await confirm('此操作将切换应用，是否继续？'))) return notify.info('已取消切换');
    try {
      await takeApp(appid);
      leaveFlash('done', '切换成功');
      location.reload();
    } catch (error) {
      notifyError(error);
    }
  };
  const acting = user.loginasby !== '';
  const leave = async () => {
    if (acting) return leaveActing();
    if (await confirm('确定退出登录吗？')) await signOut();
  };
  const has = (page: string) => plan.routes.some(({ path }) => path === page);
  const showChecklist = async () => {
    await call(hideChecklist, { ishidden: false }).catch(notifyError);
    await invalidateActions(client, [getChecklist]);
    void go('/workbench');
  };
  // Every member of staff reads the shelf, also one without any right; authorities and 收尾模式 have none.
  const hasShelf = user.musertype !== '003' && !user.winddownuntil;
  const name = accountName(user);
  const dark = colorScheme === 'dark';
  return (
    <>
      <Menu opened={opened} onChange={setOpened} position="bottom-end" withinPortal width={210}>
        <Menu.Target>
          <UnstyledButton className={classes['account'] ?? ''} aria-label={`账号 ${name}`}>
            <Avatar size={30} radius="xl" color="brand" variant="light" aria-hidden>
              {(user.realname || name).slice(0, 1)}
            </Avatar>
            <span className={classes['accountname']}>{name}</span>
            <IconChevronDown size={14} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
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
          {!acting && has('/settings') && (
            <Menu.Item component={Link} to="/settings" leftSection={<IconSettings size={16} aria-hidden />}>
              机构设置
            </Menu.Item>
          )}
          {hasShelf && (
            <Menu.Item component={Link} to="/content" leftSection={<IconBooks size={16} aria-hidden />}>
              资讯与课程
            </Menu.Item>
          )}
          {!acting && (
            <>
              {has('/workbench') && (
                <Menu.Item leftSection={<IconListCheck size={16} aria-hidden />} onClick={() => void showChecklist()}>
                  开始使用
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconSparkles size={16} aria-hidden />} onClick={() => setDialog('news')}>
                更新内容
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
        </Menu.Dropdown>
      </Menu>
      {dialog === 'password' && <ChangePassword onClose={() => setDialog(undefined)} />}
      {dialog === 'news' && <NewsDrawer onClose={() => setDialog(undefined)} />}
      {dialog === 'qr' && <QrDialog onClose={() => setDialog(undefined)} />}
    </>
  );
}
