import { MUserList } from '#features/muser/list/MUserList.tsx';

/** 服务商管理: providers and authorities. */
export default function ProviderListPage() {
  return <MUserList kind="providers" />;
}
