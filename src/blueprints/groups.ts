/** The API groups that serve the same kinds; objects of one never mix with those of the other. */
export const blueprintGroups = ["kontinue.io", "carto.run"] as const;
export type BlueprintGroup = (typeof blueprintGroups)[number];

export const blueprintVersion = "v1alpha1";

export function isBlueprintGroup(group: string): group is BlueprintGroup {
  return (blueprintGroups as readonly string[]).includes(group);
}

/** What is different between the two kinds of blueprints, as data. */
export interface Family {
  readonly blueprintKind: "ClusterSupplyChain" | "ClusterDelivery";
  readonly ownerKind: "Workload" | "Deliverable";
  /** How the owner is named in templates and in keys of requirements. */
  readonly ownerName: "workload" | "deliverable";
  /** How the blueprint is named in messages. */
  readonly blueprintName: "supply chain" | "delivery";
  readonly refField: "supplyChainRef" | "deliveryRef";
  readonly nameLabel: "supply-chain-name" | "delivery-name";
  readonly readyCondition: "SupplyChainReady" | "DeliveryReady";
  readonly notFound: "SupplyChainNotFound" | "DeliveryNotFound";
  readonly multiple: "MultipleSupplyChainMatches" | "MultipleDeliveryMatches";
  readonly labelsMissing: "WorkloadLabelsMissing" | "DeliverableLabelsMissing";
  readonly templateKinds: readonly TemplateKind[];
}

export const templateKinds = [
  "ClusterSourceTemplate",
  "ClusterImageTemplate",
  "ClusterConfigTemplate",
  "ClusterTemplate",
  "ClusterDeploymentTemplate",
] as const;
export type TemplateKind = (typeof templateKinds)[number];

export const supplyChains: Family = {
  blueprintKind: "ClusterSupplyChain",
  ownerKind: "Workload",
  ownerName: "workload",
  blueprintName: "supply chain",
  refField: "supplyChainRef",
  nameLabel: "supply-chain-name",
  readyCondition: "SupplyChainReady",
  notFound: "SupplyChainNotFound",
  multiple: "MultipleSupplyChainMatches",
  labelsMissing: "WorkloadLabelsMissing",
  templateKinds: [
    "ClusterSourceTemplate",
    "ClusterImageTemplate",
    "ClusterConfigTemplate",
    "ClusterTemplate",
  ],
};

export const deliveries: Family = {
  blueprintKind: "ClusterDelivery",
  ownerKind: "Deliverable",
  ownerName: "deliverable",
  blueprintName: "delivery",
  refField: "deliveryRef",
  nameLabel: "delivery-name",
  readyCondition: "DeliveryReady",
  notFound: "DeliveryNotFound",
  multiple: "MultipleDeliveryMatches",
  labelsMissing: "DeliverableLabelsMissing",
  templateKinds: [
    "ClusterSourceTemplate",
    "ClusterConfigTemplate",
    "ClusterTemplate",
    "ClusterDeploymentTemplate",
  ],
};

export const families: readonly Family[] = [supplyChains, deliveries];

export function familyOfOwner(kind: string): Family | undefined {
  return families.find(({ ownerKind }) => ownerKind === kind);
}

export function familyOfBlueprint(kind: string): Family | undefined {
  return families.find(({ blueprintKind }) => blueprintKind === kind);
}
