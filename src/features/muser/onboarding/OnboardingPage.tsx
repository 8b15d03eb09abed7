import { Alert, Button, Group, Select, Stack, Stepper, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SelectField } from '#ui/form/fields.tsx';
import { Link, useMatch, useNavigate, useParams } from '#ui/router/router.tsx';
import { Section } from '#ui/display/Section.tsx';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { useUser } from '#ui/api/session.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { AppsStagesField, useAppsStages } from '#features/muser/AppsStages.tsx';
import { EntryPanel } from '#features/muser/entry/EntryPanel.tsx';
import {
  addMUser,
  getMUserPageList,
  getMUserTree,
  onboardingSteps,
  saveOpening,
  type MUserRow,
} from '#features/muser/muser.contract.ts';
import { MUserFields } from '#features/muser/edit/MUserFields.tsx';
import { sectorOptions, typeOptions, typesOf, kindName, type Kind } from '#features/muser/muser.labels.ts';
import { listPath, onboardingPath } from '#features/muser/paths.ts';
import { OnboardingCounts } from '#features/muser/onboarding/OnboardingCounts.tsx';
import { PasswordReset, FirstPassword } from '#features/muser/PasswordDialog.tsx';

type OnboardingStep = (typeof onboardingSteps)[number];
const titles = { apps: '应用与阶段', counts: '次数', accounts: '账号', qr: '二维码', done: '完成' } as const;
/** Returns the steps after the basic data. An authority spends no counts; only schools and hospitals have a QR code. */
const stepsOf = (musertype: string): readonly OnboardingStep[] =>
  musertype === '003' ? ['accounts'] : musertype === '002' ? ['counts', 'accounts'] : onboardingSteps.slice(0, -1);

/** The guided onboarding (开通) of an institution. Staff can leave it at any step; the list offers 继续开通. */
export default function OnboardingPage() {
  const params = useParams();
  const kind: Kind = useMatch('/Service/opening/providers/*') ? 'providers' : 'institutions';
  const { musercode } = params;
  return musercode ? <ResumedOnboarding key={musercode} kind={kind} musercode={musercode} /> : <CreateStep kind={kind} />;
}

function Frame({
  kind,
  musertype,
  active,
  children,
}: {
  kind: Kind;
  musertype: string;
  active: number;
  children: React.ReactNode;
}) {
  return (
    <Section
      title={`开通${kindName[kind]}`}
      right={
        <Button component={Link} to={listPath(kind)} variant="default" size="compact-sm">
          返回列表
        </Button>
      }
    >
      <Stepper active={active} size="sm" iconSize={28} allowNextStepsSelect={false}>
        <Stepper.Step label="基本信息" />
        {stepsOf(musertype).map((step) => (
          <Stepper.Step key={step} label={titles[step]} />
        ))}
      </Stepper>
      <div style={{ maxWidth: 720, marginTop: 20 }}>{children}</div>
    </Section>
  );
}

/** First passwords by institution, only in memory. The step 账号 shows them unless the page was reloaded. */
const firstPasswords = new Map<string, string>();

function CreateStep({ kind }: { kind: Kind }) {
  const navigate = useNavigate();
  const { insname: own } = useUser();
  const [firstType] = typesOf[kind].slice(-2);
  const types = typeOptions(kind);
  const form = useActionForm(addMUser, {
    initial: {
      musertype: kind === 'providers' ? firstType : '005',
      sector: kind === 'providers' ? 'platform' : 'edu',
      abnormalminlevel: 2,
    } as never,
    invalidates: [getMUserPageList, getMUserTree],
    successMessage: '已创建，继续下一步',
    onDone: ({ musercode, onetime }) => {
      if (onetime) firstPasswords.set(musercode, onetime);
      void navigate(onboardingPath(kind, musercode), { replace: true });
    },
  });
  const musertype = String(form.values.musertype ?? '005');
  const similar = useActionQuery(
    getMUserPageList,
    kind === 'institutions'
      ? { page: 1, pageSize: 200, musertype: musertype as '005', orderby: 'insname', isasc: '1' }
      : undefined,
  );
  const parents = useActionQuery(getMUserPageList, {
    page: 1,
    pageSize: 200,
    musertypes: musertype === '004' ? ['002', '003', '004'] : musertype === '005' ? ['002', '003', '005'] : ['002', '003'],
    orderby: 'insname',
    isasc: '1',
  });
  return (
    <Frame kind={kind} musertype={musertype} active={0}>
      <form ref={form.place} onSubmit={form.submit} noValidate>
        <Stack gap="md">
          <SelectField
            {...form.field('musertype')}
            options={types}
            clearable={false}
            onChange={
              ((next: string) => {
                form.set('musertype', next);
                form.set('sector', sectorOptions(next)[0]?.value);
                form.set('frommusercode', undefined);
              }) as never
            }
          />
          {sectorOptions(musertype).length > 1 && (
            <SelectField {...form.field('sector')} options={sectorOptions(musertype)} clearable={false} />
          )}
          <TextInput {...form.field('insname')} placeholder="与公章一致的全称" />
          <TextInput
            {...form.field('username')}
            placeholder="字母开头"
            description="管理员用它登录；初始密码由系统生成，在“账号”一步显示"
            autoComplete="off"
          />
          <Select
            label="上级机构"
            placeholder={`不选则直接在“${own}”之下`}
            searchable
            clearable
            data-path="parentmusercode"
            error={form.error('parentmusercode')}
            data={(parents.data?.rows ?? []).map((row) => ({ value: row.musercode, label: row.insname }))}
            value={(form.values.parentmusercode as string | undefined) ?? null}
            onChange={(code) => form.set('parentmusercode', code ?? undefined)}
          />
          {kind === 'institutions' && (
            <Select
              label="参照机构"
              placeholder="不选则从头设置"
              description="复制它的应用、阶段、二维码设置、权限和统计口径"
              searchable
              clearable
              data-path="frommusercode"
              error={form.error('frommusercode')}
              data={(similar.data?.rows ?? []).map((row) => ({ value: row.musercode, label: row.insname }))}
              value={(form.values.frommusercode as string | undefined) ?? null}
              onChange={(code) => form.set('frommusercode', code ?? undefined)}
            />
          )}
          <MUserFields form={form} musertype={musertype} />
          <Group justify="flex-end">
            <Button type="submit" loading={form.busy}>
              创建并继续
            </Button>
          </Group>
        </Stack>
      </form>
    </Frame>
  );
}

function ResumedOnboarding({ kind, musercode }: { kind: Kind; musercode: string }) {
  const read = useActionQuery(getMUserPageList, { page: 1, pageSize: 1, keyword: musercode });
  return (
    <Loaded read={read} skeleton={<Skeletons.Page />}>
      {({ rows: [row] }) =>
        row ? (
          <OnboardingSteps kind={kind} row={row} />
        ) : (
          <EmptyState title="机构不存在或已删除">
            <Button component={Link} to={listPath(kind)}>
              返回列表
            </Button>
          </EmptyState>
        )
      }
    </Loaded>
  );
}

function OnboardingSteps({ kind, row }: { kind: Kind; row: MUserRow }) {
  const navigate = useNavigate();
  const { musercode, insname, username } = row;
  const steps = stepsOf(row.musertype);
  const [step, setStep] = useState(() => Math.max(0, steps.indexOf(row.opening ?? 'apps')));
  const apps = useAppsStages(kind === 'institutions' ? musercode : undefined, row.version);
  const saveStep = useActionMutation(saveOpening, { invalidates: [getMUserPageList] });
  const leave = async () => {
    try {
      if (name === 'apps' && apps.hasChanges) await apps.save();
      void navigate(listPath(kind));
    } catch (error) {
      notifyError(error);
    }
  };
  const name = steps[step] ?? 'accounts';
  const isLastStep = step === steps.length - 1;
  const password = firstPasswords.get(musercode);
  const next = async () => {
    try {
      if (name === 'apps') await apps.save();
      await saveStep.mutateAsync({ musercode, step: steps[step + 1] ?? 'done' });
      if (isLastStep) {
        notify.done(`“${insname}”已开通`);
        firstPasswords.delete(musercode);
        void navigate(listPath(kind));
      } else setStep(step + 1);
    } catch (error) {
      notifyError(error);
    }
  };
  const content = {
    apps: <Loaded read={apps.read}>{() => <AppsStagesField chosen={apps.chosen} onChange={apps.change} />}</Loaded>,
    counts: <OnboardingCounts row={row} />,
    accounts: (
      <Stack gap="md">
        {password ? (
          <FirstPassword username={username} password={password} />
        ) : (
          <PasswordReset musercode={musercode} username={username} />
        )}
        <Text size="sm" c="dimmed">
          {HANDOVER[row.musertype] ?? HANDOVER['005']}
        </Text>
      </Stack>
    ),
    qr: <EntryPanel musercode={musercode} insname={insname} />,
    done: <Alert color="green">已开通</Alert>,
  }[name];
  return (
    <Frame kind={kind} musertype={row.musertype} active={step + 1}>
      <Text fw={600} mb="md">
        {insname}
      </Text>
      {content}
      <Group justify="flex-end" mt="xl">
        {step > 0 && (
          <Button variant="default" onClick={() => setStep(step - 1)}>
            上一步
          </Button>
        )}
        <Button variant="default" loading={apps.isSaving && !saveStep.isPending} onClick={() => void leave()}>
          稍后继续
        </Button>
        <Button
          loading={saveStep.isPending || apps.isSaving}
          disabled={name === 'apps' && apps.chosen.size === 0}
          onClick={() => void next()}
        >
          {isLastStep ? '完成开通' : '下一步'}
        </Button>
      </Group>
    </Frame>
  );
}

/** What the new user does with the account, by type. */
const HANDOVER: Readonly<Record<string, string>> = {
  '002': '服务商用此账号首次登录后，在“服务商管理 > 机构管理”中开通学校、医院等机构，并从自己的次数中发放。',
  '003': '主管部门用此账号首次登录后，在“统计分析”中查看辖区数据。',
  '005': '机构管理员用此账号首次登录后，在“行政管理”中建立部门和老师、医生的账号，在“权限管理”中设置角色。',
};
