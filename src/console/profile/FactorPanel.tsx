import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Badge } from '#ui/display/badges.tsx';
import { BlockingDialog } from '#ui/feedback/BlockingDialog.tsx';
import { Facts, Section } from '#ui/display/Section.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { queryClient } from '#ui/api/queryClient.ts';
import { callForToken } from '#ui/api/call.ts';
import { notify } from '#ui/feedback/notify.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getTrustedDeviceList } from '#features/account/device/device.contract.ts';
import { disableSecondFactor, getSecondFactor, renewRecoveryCodes } from '#features/account/factor.contract.ts';
import { FactorCodeDialog } from '#console/profile/FactorCodeDialog.tsx';
import { FactorSetup } from '#console/profile/FactorSetup.tsx';
import { RecoveryCodes } from '#console/profile/RecoveryCodes.tsx';
import { adoptToken, reread } from '#console/session.ts';

/** With fewer codes than this the panel advises to create new ones. */
const FEW = 3;

/** The second factor of the signed-in account. */
export function FactorPanel() {
  const read = useActionQuery(getSecondFactor, {});
  const [settingUp, setSettingUp] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const [asking, setAsking] = useState<'renew' | 'off'>();
  /** Passkeys stay the second factor when the codes go. */
  const byPasskey = (read.data?.passkeys ?? 0) > 0;
  const renew = async (code: string) => {
    const { token, recoverycodes } = await callForToken(renewRecoveryCodes, { code });
    adoptToken(token);
    setAsking(undefined);
    setCodes(recoverycodes);
    void read.refetch();
  };
  const off = async (code: string) => {
    adoptToken((await callForToken(disableSecondFactor, { code })).token);
    setAsking(undefined);
    notify.done(byPasskey ? '动态验证码已停用' : '二次验证已关闭');
    void queryClient.invalidateQueries({ queryKey: [getTrustedDeviceList.name] });
    void read.refetch();
    void reread();
  };
  const finished = () => {
    setSettingUp(false);
    void read.refetch();
    void reread();
  };
  if (settingUp)
    return (
      <Section
        title="设置二次验证"
        right={
          <Button variant="subtle" size="compact-sm" onClick={finished}>
            返回
          </Button>
        }
      >
        <FactorSetup onDone={finished} />
      </Section>
    );
  return (
    <Section title="二次验证">
      <Loaded read={read} skeleton={<Skeletons.Lines count={3} />}>
        {({ enabled, since, passkeys, recoveryleft, enforced }) => (
          <>
            <Text size="sm" c="dimmed" mb="md">
              登录时除密码外，再输入一次手机应用显示的 6 位动态验证码，或用通行密钥验证。密码泄露时，别人也无法登录您的账号。
            </Text>
            <Facts
              facts={[
                ['状态', enabled || byPasskey ? <Badge tone="green">已启用</Badge> : <Badge tone="gray">未启用</Badge>],
                ...(enabled ? ([['动态验证码启用于', since]] as const) : []),
                ...(byPasskey ? ([['通行密钥', `${passkeys} 个`]] as const) : []),
                ...(enabled || byPasskey ? ([['剩余恢复码', `${recoveryleft} 个`]] as const) : []),
              ]}
            />
            {(enabled || byPasskey) && recoveryleft < FEW && (
              <Alert color="orange" variant="light" mt="md">
                恢复码快用完了，请重新生成并妥善保存，否则手机丢失时只能请管理员重置。
              </Alert>
            )}
            {enforced && enabled && !byPasskey && (
              <Text size="sm" mt="md">
                所在机构或角色要求二次验证，不能关闭。
              </Text>
            )}
            <Group mt="lg">
              {!enabled && (
                <Button variant={byPasskey ? 'default' : 'filled'} onClick={() => setSettingUp(true)}>
                  {byPasskey ? '添加动态验证码' : '设置二次验证'}
                </Button>
              )}
              {(enabled || byPasskey) && (
                <Button variant="default" onClick={() => setAsking('renew')}>
                  重新生成恢复码
                </Button>
              )}
              {enabled && (!enforced || byPasskey) && (
                <Button variant="light" color="red" onClick={() => setAsking('off')}>
                  {byPasskey ? '停用动态验证码' : '关闭二次验证'}
                </Button>
              )}
            </Group>
          </>
        )}
      </Loaded>
      {asking === 'renew' && (
        <FactorCodeDialog
          title="重新生成恢复码"
          text="重新生成 10 个恢复码？之前的恢复码立即作废。"
          yes="重新生成"
          onCode={renew}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'off' && (
        <FactorCodeDialog
          title={byPasskey ? '停用动态验证码' : '关闭二次验证'}
          text={byPasskey ? '停用后用通行密钥作二次验证。' : '关闭后登录只需要密码，账号更容易被盗用。'}
          yes="确认关闭"
          danger
          onCode={off}
          onClose={() => setAsking(undefined)}
        />
      )}
      {codes && (
        <BlockingDialog title="新的恢复码" size="lg">
          <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
        </BlockingDialog>
      )}
    </Section>
  );
}
