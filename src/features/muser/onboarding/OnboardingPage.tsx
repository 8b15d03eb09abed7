import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMatch, useNavigate, useParams, Link } from '#ui/router/router.tsx';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { EmptyState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { AppsStagesField, useAppsStages } from '#features/muser/AppsStages.tsx';
import { EntryPanel } from '#features/muser/entry/EntryPanel.tsx';
import { getMUserPageList, saveOpening, type MUserRow } from '#features/muser/muser.contract.ts';
import type { Kind } from '#features/muser/muser.labels.ts';
import { BasicStep } from '#features/muser/onboarding/BasicStep.tsx';
import { CopiedNotice } from '#features/muser/onboarding/CopiedNotice.tsx';
import { createdInstitutions } from '#features/muser/onboarding/created.ts';
import { CreateStep } from '#features/muser/onboarding/CreateStep.tsx';
import { OnboardingCounts } from '#features/muser/onboarding/OnboardingCounts.tsx';
import { OnboardingFrame, stepsOf } from '#features/muser/onboarding/OnboardingFrame.tsx';
import { PasswordReset, FirstPassword } from '#features/muser/PasswordDialog.tsx';
import { listPath } from '#features/muser/paths.ts';

/** The guided onboarding (开通) of an institution. Staff can leave it at any step; the list offers 继续开通. */
export default function OnboardingPage() {
  const params = useParams();
  const kind: Kind = useMatch('/Service/opening/providers/*') ? 'providers' : 'institutions';
  const { musercode } = params;
  return musercode ? <ResumedOnboarding key={musercode} kind={kind} musercode={musercode} /> : <CreateStep kind={kind} />;
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

/** The steps after the creation. A step that was opened stays mounted, so that going back loses nothing that was typed. */
function OnboardingSteps({ kind, row }: { kind: Kind; row: MUserRow }) {
  const navigate = useNavigate();
  const { musercode, insname, username, musertype } = row;
  const steps = ['basic', ...stepsOf(musertype)] as const;
  const [step, setStep] = useState(() => Math.max(1, steps.indexOf(row.opening ?? 'apps')));
  const [openedSteps, setOpenedSteps] = useState<ReadonlySet<number>>(new Set([step]));
  const apps = useAppsStages(kind === 'institutions' ? musercode : undefined, row.version);
  const saveStep = useActionMutation(saveOpening, { invalidates: [getMUserPageList] });
  const go = (to: number) => {
    setOpenedSteps(new Set([...openedSteps, to]));
    setStep(to);
  };
  const name = steps[step] ?? 'accounts';
  const isLastStep = step === steps.length - 1;
  const { onetime, copied } = createdInstitutions.get(musercode) ?? {};
  const leave = async () => {
    try {
      if (apps.hasChanges) await apps.save();
      void navigate(listPath(kind));
    } catch (error) {
      notifyError(error);
    }
  };
  const next = async () => {
    try {
      if (name === 'apps') await apps.save();
      await saveStep.mutateAsync({ musercode, step: stepsOf(musertype)[step] ?? 'done' });
      if (isLastStep) {
        notify.done(`“${insname}”已开通`);
        createdInstitutions.delete(musercode);
        void navigate(listPath(kind));
      } else go(step + 1);
    } catch (error) {
      notifyError(error);
    }
  };
  const contentOf = (key: (typeof steps)[number]) =>
    ({
      basic: () => <BasicStep row={row} onDone={() => go(1)} />,
      apps: () => <Loaded read={apps.read}>{() => <AppsStagesField chosen={apps.chosen} onChange={apps.change} />}</Loaded>,
      counts: () => <OnboardingCounts row={row} />,
      accounts: () => (
        <Stack gap="md">
          {onetime ? (
            <FirstPassword username={username} password={onetime} />
          ) : (
            <PasswordReset musercode={musercode} username={username} />
          )}
          <Text size="sm" c="dimmed">
            {HANDOVER[musertype] ?? HANDOVER['005']}
          </Text>
        </Stack>
      ),
      qr: () => <EntryPanel musercode={musercode} insname={insname} />,
      done: () => <Alert color="green">已开通</Alert>,
    })[key]();
  return (
    <OnboardingFrame kind={kind} musertype={musertype} active={step} onReturn={go}>
      <Text fw={600} mb="md">
        {insname}
      </Text>
      {copied && step === 1 && <CopiedNotice copied={copied} />}
      {steps.map(
        (key, index) =>
          openedSteps.has(index) && (
            <div key={key} hidden={index !== step}>
              {contentOf(key)}
            </div>
          ),
      )}
      {name !== 'basic' && (
        <Group justify="flex-end" mt="xl">
          <Button variant="default" onClick={() => go(step - 1)}>
            上一步
          </Button>
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
      )}
    </OnboardingFrame>
  );
}

/** What the new user does with the account, by type. */
const HANDOVER: Readonly<Record<string, string>> = {
  '002': '服务商用此账号首次登录后，在“服务商管理 > 机构管理”中开通学校、医院等机构，并从自己的次数中发放。',
  '003': '主管部门用此账号首次登录后，在“统计分析”中查看辖区数据。',
  '005': '机构管理员用此账号首次登录后，在“行政管理”中建立部门和老师、医生的账号，在“权限管理”中设置角色。',
};
