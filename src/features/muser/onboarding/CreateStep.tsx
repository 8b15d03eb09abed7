import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useInstitutionSearch } from '#blocks/institution/useInstitutionSearch.ts';
import { useUser } from '#ui/api/session.ts';
import { SelectField } from '#ui/form/fields.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useNavigate } from '#ui/router/router.tsx';
import { MUserFields } from '#features/muser/edit/MUserFields.tsx';
import { addMUser, getMUserPageList, getMUserTree } from '#features/muser/muser.contract.ts';
import { sectorOptions, typeOptions, typesOf, type Kind } from '#features/muser/muser.labels.ts';
import { createdInstitutions } from '#features/muser/onboarding/created.ts';
import { OnboardingFrame } from '#features/muser/onboarding/OnboardingFrame.tsx';
import { onboardingPath } from '#features/muser/paths.ts';

/** The first step: creates the institution with its account. */
export function CreateStep({ kind }: { kind: Kind }) {
  const navigate = useNavigate();
  const { insname: own } = useUser();
  const [firstType] = typesOf[kind].slice(-2);
  const types = typeOptions(kind);
  const form = useActionForm(addMUser, {
    initial: {
      musertype: kind === 'providers' ? firstType : '005',
      sector: kind === 'providers' ? 'platform' : 'edu',
    } as never,
    invalidates: [getMUserPageList, getMUserTree],
    successMessage: '已创建，继续下一步',
    future: ['expiredate'],
    onDone: ({ musercode, onetime, copied }) => {
      createdInstitutions.set(musercode, { onetime, copied });
      void navigate(onboardingPath(kind, musercode), { replace: true });
    },
  });
  const musertype = String(form.values.musertype ?? '005');
  const similar = useInstitutionSearch(
    form.values.frommusercode as string | undefined,
    kind === 'institutions' ? { musertype: musertype as '005' } : undefined,
  );
  const parents = useInstitutionSearch(form.values.parentmusercode as string | undefined, {
    musertypes: musertype === '004' ? ['002', '003', '004'] : musertype === '005' ? ['002', '003', '005'] : ['002', '003'],
  });
  return (
    <OnboardingFrame kind={kind} musertype={musertype} active={0}>
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
            placeholder={`不选则直接在“${own}”之下，可输入名称查找`}
            data-path="parentmusercode"
            error={form.error('parentmusercode')}
            {...parents}
            onChange={(code) => form.set('parentmusercode', code ?? undefined)}
          />
          {kind === 'institutions' && (
            <Select
              label="参照机构"
              placeholder="不选则从头设置，可输入名称查找"
              description="复制它的应用、阶段、二维码设置、权限和统计口径；创建后列出复制了什么"
              data-path="frommusercode"
              error={form.error('frommusercode')}
              {...similar}
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
    </OnboardingFrame>
  );
}
