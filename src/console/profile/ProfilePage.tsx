import { Tabs } from '@mantine/core';
import { DevicesPanel } from '#console/profile/DevicesPanel.tsx';
import { FactorPanel } from '#console/profile/FactorPanel.tsx';
import { NoticePanel } from '#console/profile/NoticePanel.tsx';
import { PasskeyPanel } from '#console/profile/PasskeyPanel.tsx';
import { PasswordPanel } from '#console/profile/PasswordPanel.tsx';
import { ProfilePanel } from '#console/profile/ProfilePanel.tsx';
import { ScreensPanel } from '#console/profile/ScreensPanel.tsx';
import { SessionsPanel } from '#console/profile/SessionsPanel.tsx';
import { can } from '#ui/api/session.ts';
import { insertScreenCode } from '#features/bigscreen/screen.contract.ts';
import { useNavigate, useParams } from '#ui/router/router.tsx';
import { PageStack } from '#ui/display/Section.tsx';

/** The codes of an app, passkeys, and the devices that need neither for a while. */
function FactorTab() {
  return (
    <PageStack>
      <FactorPanel />
      <PasskeyPanel />
      <DevicesPanel />
    </PageStack>
  );
}

const TABS = [
  { key: 'info', title: '个人资料', Panel: ProfilePanel },
  { key: 'password', title: '修改密码', Panel: PasswordPanel },
  { key: 'factor', title: '二次验证', Panel: FactorTab },
  { key: 'sessions', title: '登录设备', Panel: SessionsPanel },
  { key: 'screens', title: '数据大屏', Panel: ScreensPanel },
  { key: 'notice', title: '消息提醒', Panel: NoticePanel },
] as const;

/** 个人中心: data and settings of the signed-in account. */
export default function ProfilePage() {
  const { tab } = useParams();
  const go = useNavigate();
  const tabs = TABS.filter(({ key }) => key !== 'screens' || can(insertScreenCode));
  const open = tabs.find(({ key }) => key === tab) ?? TABS[0];
  return (
    <PageStack>
      <Tabs
        value={open.key}
        onChange={(key) => key && void go(key === TABS[0].key ? '/profile' : `/profile/${key}`, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="md" style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
          {tabs.map(({ key, title }) => (
            <Tabs.Tab key={key} value={key}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ key, Panel }) => (
          <Tabs.Panel key={key} value={key}>
            <Panel />
          </Tabs.Panel>
        ))}
      </Tabs>
    </PageStack>
  );
}
