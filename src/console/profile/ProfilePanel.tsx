import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { MUserType, Sector } from '#domain/base/enums.ts';
import { Facts, PageStack, Section } from '#ui/display/Section.tsx';
import { notifyError } from '#ui/feedback/notify.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { can, hasPermission, useUser } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { ConflictNotice } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import type { ResponseOf } from '#contract/action.ts';
import { PictureField } from '#blocks/file/PictureField.tsx';
import { AbsenceDialog } from '#blocks/handover/AbsenceDialog.tsx';
import { HandOverDialog } from '#blocks/handover/HandOverDialog.tsx';
import { handOver } from '#features/handover/handOver.contract.ts';
import { getHandover, updateAbsence } from '#features/warning/handover/handover.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { getProfile, updateProfile } from '#features/account/profile.contract.ts';
import { reread } from '#console/session.ts';
import { QrPicture } from '#console/shell/account/QrDialog.tsx';

/** The account's name and contact data, and its institution with its code. */
export function ProfilePanel() {
  const user = useUser();
  const read = useActionQuery(getProfile, {});
  return (
    <PageStack>
      <Loaded read={read} skeleton={<Skeletons.Form />}>
        {(profile) => <Own key={`${profile.phonenumber} ${profile.email}`} profile={profile} />}
      </Loaded>
      {user.userid !== null && can(getHandover) && <Absence />}
      {user.userid !== null && can(handOver) && <OwnWork />}
      <Section title="所属机构">
        <Group align="flex-start" gap="xl" wrap="wrap">
          <div style={{ flex: '1 1 260px' }}>
            <Facts
              facts={[
                ['机构', user.insname],
                ['机构类型', MUserType.label(user.musertype)],
                ['行业', Sector.label(user.sector)],
                ['地区', user.regionname],
                ['机构编号', user.musercode],
              ]}
            />
            {hasPermission('organization.users') ? (
              <Logo key={user.logo} musercode={user.musercode} logo={user.logo} />
            ) : (
              user.logo && <img src={user.logo} alt="机构标志" style={{ height: 72, maxWidth: 200, marginTop: 16 }} />
            )}
          </div>
          {user.qrcodeurl && (
            <Stack align="center" gap={6}>
              <QrPicture size={200} />
              <Text size="xs" c="dimmed">
                机构二维码
              </Text>
            </Stack>
          )}
        </Group>
      </Section>
    </PageStack>
  );
}

/** The caller's own absence: new cases pass over absent staff, and their open cases are handed over first. */
function Absence() {
  const read = useActionQuery(getHandover, {});
  const [isOpen, setIsOpen] = useState(false);
  const comeBack = useActionMutation(updateAbsence, { invalidates: [getHandover], successMessage: '已结束外出' });
  const absentuntil = read.data?.absentuntil;
  return (
    <Section
      title="外出"
      right={
        <Group gap="xs">
          {absentuntil && (
            <Button
              variant="subtle"
              size="compact-sm"
              loading={comeBack.isPending}
              onClick={() => comeBack.mutate({ absentuntil: null })}
            >
              结束外出
            </Button>
          )}
          <Button variant="subtle" size="compact-sm" onClick={() => setIsOpen(true)}>
            {absentuntil ? '修改外出' : '登记外出'}
          </Button>
        </Group>
      }
    >
      <Loaded read={read} skeleton={<Skeletons.Lines count={2} />}>
        {({ cases }) => (
          <Text size="sm">
            {absentuntil
              ? `外出至 ${absentuntil.slice(0, 16)}，期间不再分到新的预警，到期自动恢复。`
              : `目前在岗${cases.length ? `，负责 ${cases.length} 个在办预警` : ''}。外出前请登记，在办预警同时移交给同事。`}
          </Text>
        )}
      </Loaded>
      {isOpen && <AbsenceDialog onClose={() => setIsOpen(false)} />}
    </Section>
  );
}

/** The caller's own open work, to hand over. */
function OwnWork() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section
      title="我的移交"
      right={
        <Button variant="subtle" size="compact-sm" onClick={() => setIsOpen(true)}>
          移交工作
        </Button>
      }
    >
      <Text size="sm">调岗或离职前，把在办的预警、随访、预约和负责的档案一次移交给同事。</Text>
      {isOpen && <HandOverDialog onClose={() => setIsOpen(false)} />}
    </Section>
  );
}

/** The institution's logo. Staff who manage the institution's users can change it. */
function Logo({ musercode, logo }: { musercode: string; logo: string }) {
  const form = useActionForm(updateMUser, {
    initial: { musercode },
    invalidates: [],
    onDone: () => void reread().catch(notifyError),
  });
  return (
    <form ref={form.place} onSubmit={form.submit} noValidate>
      <Stack gap="sm" mt="md">
        <PictureField
          {...form.field('logofileid')}
          use="logo"
          savedUrl={logo}
          value={form.values.logofileid}
          onPick={(fileid) => form.set('logofileid', fileid)}
          hint="显示在本机构人员的页面顶部，正方形最佳"
        />
        {form.values.logofileid !== undefined && (
          <Group>
            <Button type="submit" loading={form.busy}>
              保存标志
            </Button>
            <Button variant="default" onClick={() => form.set('logofileid', undefined)}>
              取消
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

function Own({ profile }: { profile: ResponseOf<typeof getProfile> }) {
  const staff = useUser().userid !== null;
  const [editing, setEditing] = useState(false);
  return (
    <Section
      title="个人资料"
      right={
        !editing && (
          <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
            修改联系方式
          </Button>
        )
      }
    >
      <Facts
        facts={[
          ['账号', profile.account],
          ['姓名', profile.realname],
          ...(editing ? [] : ([['联系电话', profile.phonenumber]] as const)),
          ...(editing || !staff ? [] : ([['邮箱', profile.email]] as const)),
          ...(staff
            ? ([
                ['部门', profile.deptname],
                ['角色', profile.rolenames.join('、')],
              ] as const)
            : []),
          ['上次修改密码', profile.pwdtime],
        ]}
      />
      {editing && <Contact profile={profile} staff={staff} onDone={() => setEditing(false)} />}
      {staff && (
        <Text size="xs" c="dimmed" mt="md">
          姓名、部门和角色由机构管理员维护
        </Text>
      )}
    </Section>
  );
}

function Contact({ profile, staff, onDone }: { profile: ResponseOf<typeof getProfile>; staff: boolean; onDone: () => void }) {
  const form = useActionForm(updateProfile, {
    initial: { version: profile.version, ...(staff ? { email: profile.email } : {}) },
    invalidates: [getProfile],
    onDone,
    successMessage: '修改成功',
  });
  return (
    <form ref={form.place} onSubmit={form.submit} noValidate>
      <Stack gap="md" mt="md" maw={420}>
        <ConflictNotice form={form} />
        <TextInput
          {...form.field('phonenumber')}
          inputMode="tel"
          autoComplete="tel"
          placeholder={profile.phonenumber ? `已登记 ${profile.phonenumber}，需要更换时填写` : '手机号，或带区号的固定电话'}
          data-autofocus
        />
        {staff && <TextInput {...form.field('email')} inputMode="email" autoComplete="email" />}
        <Group>
          <Button type="submit" loading={form.busy} disabled={!form.dirty}>
            保存
          </Button>
          <Button variant="default" onClick={onDone}>
            取消
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
