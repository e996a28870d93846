/** The types of the built-in kinds. Written by scripts/generate-kinds.ts. */

/** What every object has. */
interface ObjectFields {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: ObjectMeta | undefined;
}

export interface ApplyConfiguration {
  readonly expression?: string | undefined;
}

export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

export interface JSONPatch {
  readonly expression?: string | undefined;
}

export interface MatchCondition {
  readonly expression: string;
  readonly name: string;
}

export interface MatchResources {
  readonly excludeResourceRules?: readonly NamedRuleWithOperations[] | undefined;
  readonly matchPolicy?: string | undefined;
  readonly namespaceSelector?: LabelSelector | undefined;
  readonly objectSelector?: LabelSelector | undefined;
  readonly resourceRules?: readonly NamedRuleWithOperations[] | undefined;
}

export interface MutatingAdmissionPolicy extends ObjectFields {
  readonly spec?: MutatingAdmissionPolicySpec | undefined;
}

export interface MutatingAdmissionPolicyBinding extends ObjectFields {
  readonly spec?: MutatingAdmissionPolicyBindingSpec | undefined;
}

export interface MutatingAdmissionPolicyBindingSpec {
  readonly matchResources?: MatchResources | undefined;
  readonly paramRef?: ParamRef | undefined;
  readonly policyName?: string | undefined;
}

export interface MutatingAdmissionPolicySpec {
  readonly failurePolicy?: string | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  readonly matchConstraints?: MatchResources | undefined;
  readonly mutations?: readonly Mutation[] | undefined;
  readonly paramKind?: ParamKind | undefined;
  readonly reinvocationPolicy?: string | undefined;
  readonly variables?: readonly Variable[] | undefined;
}

export interface MutatingWebhook {
  readonly admissionReviewVersions: readonly string[];
  readonly clientConfig: AdmissionregistrationWebhookClientConfig;
  readonly failurePolicy?: string | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  readonly matchPolicy?: string | undefined;
  readonly name: string;
  readonly namespaceSelector?: LabelSelector | undefined;
  readonly objectSelector?: LabelSelector | undefined;
  readonly reinvocationPolicy?: string | undefined;
  readonly rules?: readonly RuleWithOperations[] | undefined;
  readonly sideEffects: string;
  readonly timeoutSeconds?: number | undefined;
}

export interface MutatingWebhookConfiguration extends ObjectFields {
  readonly webhooks?: readonly MutatingWebhook[] | undefined;
}

export interface Mutation {
  readonly applyConfiguration?: ApplyConfiguration | undefined;
  readonly jsonPatch?: JSONPatch | undefined;
  readonly patchType: string;
}

export interface NamedRuleWithOperations {
  readonly apiGroups?: readonly string[] | undefined;
  readonly apiVersions?: readonly string[] | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly resourceNames?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly scope?: string | undefined;
}

export interface ParamKind {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}

export interface ParamRef {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly parameterNotFoundAction?: string | undefined;
  readonly selector?: LabelSelector | undefined;
}

export interface RuleWithOperations {
  readonly apiGroups?: readonly string[] | undefined;
  readonly apiVersions?: readonly string[] | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly scope?: string | undefined;
}

export interface AdmissionregistrationServiceReference {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string | undefined;
  readonly port?: number | undefined;
}

export interface TypeChecking {
  readonly expressionWarnings?: readonly ExpressionWarning[] | undefined;
}

export interface ValidatingAdmissionPolicy extends ObjectFields {
  readonly spec?: ValidatingAdmissionPolicySpec | undefined;
  readonly status?: ValidatingAdmissionPolicyStatus | undefined;
}

export interface ValidatingAdmissionPolicyBinding extends ObjectFields {
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
}

export interface ValidatingAdmissionPolicyBindingSpec {
  readonly matchResources?: MatchResources | undefined;
  readonly paramRef?: ParamRef | undefined;
  readonly policyName: string;
  readonly validationActions: readonly string[];
}

export interface ValidatingAdmissionPolicySpec {
  readonly auditAnnotations?: readonly AuditAnnotation[] | undefined;
  readonly failurePolicy?: string | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  readonly matchConstraints?: MatchResources | undefined;
  readonly paramKind?: ParamKind | undefined;
  readonly validations?: readonly Validation[] | undefined;
  readonly variables?: readonly Variable[] | undefined;
}

export interface ValidatingAdmissionPolicyStatus {
  readonly conditions?: readonly Condition[] | undefined;
  readonly observedGeneration?: number | undefined;
  readonly typeChecking?: TypeChecking | undefined;
}

export interface ValidatingWebhook {
  readonly admissionReviewVersions: readonly string[];
  readonly clientConfig: AdmissionregistrationWebhookClientConfig;
  readonly failurePolicy?: string | undefined;
  readonly matchConditions?: readonly MatchCondition[] | undefined;
  readonly matchPolicy?: string | undefined;
  readonly name: string;
  readonly namespaceSelector?: LabelSelector | undefined;
  readonly objectSelector?: LabelSelector | undefined;
  readonly rules?: readonly RuleWithOperations[] | undefined;
  readonly sideEffects: string;
  readonly timeoutSeconds?: number | undefined;
}

export interface ValidatingWebhookConfiguration extends ObjectFields {
  readonly webhooks?: readonly ValidatingWebhook[] | undefined;
}

export interface Validation {
  readonly expression: string;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  readonly reason?: string | undefined;
}

export interface Variable {
  readonly expression: string;
  readonly name: string;
}

export interface AdmissionregistrationWebhookClientConfig {
  readonly caBundle?: string | undefined;
  readonly service?: AdmissionregistrationServiceReference | undefined;
  readonly url?: string | undefined;
}

export interface ControllerRevision extends ObjectFields {
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly revision: number;
}

export interface DaemonSet extends ObjectFields {
  readonly spec?: DaemonSetSpec | undefined;
  readonly status?: DaemonSetStatus | undefined;
}

export interface DaemonSetCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

export interface DaemonSetSpec {
  readonly minReadySeconds?: number | undefined;
  readonly revisionHistoryLimit?: number | undefined;
  readonly selector: LabelSelector;
  readonly template: PodTemplateSpec;
  readonly updateStrategy?: DaemonSetUpdateStrategy | undefined;
}

export interface DaemonSetStatus {
  readonly collisionCount?: number | undefined;
  readonly conditions?: readonly DaemonSetCondition[] | undefined;
  readonly currentNumberScheduled: number;
  readonly desiredNumberScheduled: number;
  readonly numberAvailable?: number | undefined;
  readonly numberMisscheduled: number;
  readonly numberReady: number;
  readonly numberUnavailable?: number | undefined;
  readonly observedGeneration?: number | undefined;
  readonly updatedNumberScheduled?: number | undefined;
}

export interface DaemonSetUpdateStrategy {
  readonly rollingUpdate?: RollingUpdateDaemonSet | undefined;
  readonly type?: string | undefined;
}

export interface Deployment extends ObjectFields {
  readonly spec?: DeploymentSpec | undefined;
  readonly status?: DeploymentStatus | undefined;
}

export interface DeploymentCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly lastUpdateTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

export interface DeploymentSpec {
  readonly minReadySeconds?: number | undefined;
  readonly paused?: boolean | undefined;
  readonly progressDeadlineSeconds?: number | undefined;
  readonly replicas?: number | undefined;
  readonly revisionHistoryLimit?: number | undefined;
  readonly selector: LabelSelector;
  readonly strategy?: DeploymentStrategy | undefined;
  readonly template: PodTemplateSpec;
}

export interface DeploymentStatus {
  readonly availableReplicas?: number | undefined;
  readonly collisionCount?: number | undefined;
  readonly conditions?: readonly DeploymentCondition[] | undefined;
  readonly observedGeneration?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly replicas?: number | undefined;
  readonly terminatingReplicas?: number | undefined;
  readonly unavailableReplicas?: number | undefined;
  readonly updatedReplicas?: number | undefined;
}

export interface DeploymentStrategy {
  readonly rollingUpdate?: RollingUpdateDeployment | undefined;
  readonly type?: string | undefined;
}

export interface ReplicaSet extends ObjectFields {
  readonly spec?: ReplicaSetSpec | undefined;
  readonly status?: ReplicaSetStatus | undefined;
}

export type ReplicaSetCondition = DaemonSetCondition;

export interface ReplicaSetSpec {
  readonly minReadySeconds?: number | undefined;
  readonly replicas?: number | undefined;
  readonly selector: LabelSelector;
  readonly template?: PodTemplateSpec | undefined;
}

export interface ReplicaSetStatus {
  readonly availableReplicas?: number | undefined;
  readonly conditions?: readonly ReplicaSetCondition[] | undefined;
  readonly fullyLabeledReplicas?: number | undefined;
  readonly observedGeneration?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly replicas: number;
  readonly terminatingReplicas?: number | undefined;
}

export interface RollingUpdateDaemonSet {
  readonly maxSurge?: number | string | undefined;
  readonly maxUnavailable?: number | string | undefined;
}

export interface RollingUpdateDeployment {
  readonly maxSurge?: number | string | undefined;
  readonly maxUnavailable?: number | string | undefined;
}

export interface RollingUpdateStatefulSetStrategy {
  readonly maxUnavailable?: number | string | undefined;
  readonly partition?: number | undefined;
}

export interface StatefulSet extends ObjectFields {
  readonly spec?: StatefulSetSpec | undefined;
  readonly status?: StatefulSetStatus | undefined;
}

export type StatefulSetCondition = DaemonSetCondition;

export interface StatefulSetOrdinals {
  readonly start?: number | undefined;
}

export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  readonly whenDeleted?: string | undefined;
  readonly whenScaled?: string | undefined;
}

export interface StatefulSetSpec {
  readonly minReadySeconds?: number | undefined;
  readonly ordinals?: StatefulSetOrdinals | undefined;
  readonly persistentVolumeClaimRetentionPolicy?:
    | StatefulSetPersistentVolumeClaimRetentionPolicy
    | undefined;
  readonly podManagementPolicy?: string | undefined;
  readonly replicas?: number | undefined;
  readonly revisionHistoryLimit?: number | undefined;
  readonly selector: LabelSelector;
  readonly serviceName?: string | undefined;
  readonly template: PodTemplateSpec;
  readonly updateStrategy?: StatefulSetUpdateStrategy | undefined;
  readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[] | undefined;
}

export interface StatefulSetStatus {
  readonly availableReplicas?: number | undefined;
  readonly collisionCount?: number | undefined;
  readonly conditions?: readonly StatefulSetCondition[] | undefined;
  readonly currentReplicas?: number | undefined;
  readonly currentRevision?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly replicas: number;
  readonly updateRevision?: string | undefined;
  readonly updatedReplicas?: number | undefined;
}

export interface StatefulSetUpdateStrategy {
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy | undefined;
  readonly type?: string | undefined;
}

export interface AutoscalingCrossVersionObjectReference {
  readonly apiVersion?: string | undefined;
  readonly kind: string;
  readonly name: string;
}

export interface AutoscalingHorizontalPodAutoscaler extends ObjectFields {
  readonly spec: AutoscalingHorizontalPodAutoscalerSpec;
  readonly status?: AutoscalingHorizontalPodAutoscalerStatus | undefined;
}

export interface AutoscalingHorizontalPodAutoscalerSpec {
  readonly maxReplicas: number;
  readonly minReplicas?: number | undefined;
  readonly scaleTargetRef: AutoscalingCrossVersionObjectReference;
  readonly targetCPUUtilizationPercentage?: number | undefined;
}

export interface AutoscalingHorizontalPodAutoscalerStatus {
  readonly currentCPUUtilizationPercentage?: number | undefined;
  readonly currentReplicas: number;
  readonly desiredReplicas: number;
  readonly lastScaleTime?: string | undefined;
  readonly observedGeneration?: number | undefined;
}

export interface ContainerResourceMetricSource {
  readonly container: string;
  readonly name: string;
  readonly target: MetricTarget;
}

export interface ContainerResourceMetricStatus {
  readonly container: string;
  readonly current: MetricValueStatus;
  readonly name: string;
}

export type AutoscalingV2CrossVersionObjectReference = AutoscalingCrossVersionObjectReference;

export interface ExternalMetricSource {
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}

export interface ExternalMetricStatus {
  readonly current: MetricValueStatus;
  readonly metric: MetricIdentifier;
}

export interface HPAScalingPolicy {
  readonly periodSeconds: number;
  readonly type: string;
  readonly value: number;
}

export interface HPAScalingRules {
  readonly policies?: readonly HPAScalingPolicy[] | undefined;
  readonly selectPolicy?: string | undefined;
  readonly stabilizationWindowSeconds?: number | undefined;
  readonly tolerance?: string | number | undefined;
}

export interface AutoscalingV2HorizontalPodAutoscaler extends ObjectFields {
  readonly spec: AutoscalingV2HorizontalPodAutoscalerSpec;
  readonly status?: AutoscalingV2HorizontalPodAutoscalerStatus | undefined;
}

export interface HorizontalPodAutoscalerBehavior {
  readonly scaleDown?: HPAScalingRules | undefined;
  readonly scaleUp?: HPAScalingRules | undefined;
}

export type HorizontalPodAutoscalerCondition = DaemonSetCondition;

export interface AutoscalingV2HorizontalPodAutoscalerSpec {
  readonly behavior?: HorizontalPodAutoscalerBehavior | undefined;
  readonly maxReplicas: number;
  readonly metrics?: readonly MetricSpec[] | undefined;
  readonly minReplicas?: number | undefined;
  readonly scaleTargetRef: AutoscalingV2CrossVersionObjectReference;
}

export interface AutoscalingV2HorizontalPodAutoscalerStatus {
  readonly conditions?: readonly HorizontalPodAutoscalerCondition[] | undefined;
  readonly currentMetrics?: readonly MetricStatus[] | undefined;
  readonly currentReplicas?: number | undefined;
  readonly desiredReplicas: number;
  readonly lastScaleTime?: string | undefined;
  readonly observedGeneration?: number | undefined;
}

export interface MetricIdentifier {
  readonly name: string;
  readonly selector?: LabelSelector | undefined;
}

export interface MetricSpec {
  readonly containerResource?: ContainerResourceMetricSource | undefined;
  readonly external?: ExternalMetricSource | undefined;
  readonly object?: ObjectMetricSource | undefined;
  readonly pods?: PodsMetricSource | undefined;
  readonly resource?: ResourceMetricSource | undefined;
  readonly type: string;
}

export interface MetricStatus {
  readonly containerResource?: ContainerResourceMetricStatus | undefined;
  readonly external?: ExternalMetricStatus | undefined;
  readonly object?: ObjectMetricStatus | undefined;
  readonly pods?: PodsMetricStatus | undefined;
  readonly resource?: ResourceMetricStatus | undefined;
  readonly type: string;
}

export interface MetricTarget {
  readonly averageUtilization?: number | undefined;
  readonly averageValue?: string | number | undefined;
  readonly type: string;
  readonly value?: string | number | undefined;
}

export interface MetricValueStatus {
  readonly averageUtilization?: number | undefined;
  readonly averageValue?: string | number | undefined;
  readonly value?: string | number | undefined;
}

export interface ObjectMetricSource {
  readonly describedObject: AutoscalingV2CrossVersionObjectReference;
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}

export interface ObjectMetricStatus {
  readonly current: MetricValueStatus;
  readonly describedObject: AutoscalingV2CrossVersionObjectReference;
  readonly metric: MetricIdentifier;
}

export type PodsMetricSource = ExternalMetricSource;

export type PodsMetricStatus = ExternalMetricStatus;

export interface ResourceMetricSource {
  readonly name: string;
  readonly target: MetricTarget;
}

export interface ResourceMetricStatus {
  readonly current: MetricValueStatus;
  readonly name: string;
}

export interface CronJob extends ObjectFields {
  readonly spec: CronJobSpec;
  readonly status?: CronJobStatus | undefined;
}

export interface CronJobSpec {
  readonly concurrencyPolicy?: string | undefined;
  readonly failedJobsHistoryLimit?: number | undefined;
  readonly jobTemplate: JobTemplateSpec;
  readonly schedule: string;
  readonly startingDeadlineSeconds?: number | undefined;
  readonly successfulJobsHistoryLimit?: number | undefined;
  readonly suspend?: boolean | undefined;
  readonly timeZone?: string | undefined;
}

export interface CronJobStatus {
  readonly active?: readonly ObjectReference[] | undefined;
  readonly lastScheduleTime?: string | undefined;
  readonly lastSuccessfulTime?: string | undefined;
}

export interface Job extends ObjectFields {
  readonly spec?: JobSpec | undefined;
  readonly status?: JobStatus | undefined;
}

export interface JobCondition {
  readonly lastProbeTime?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

export interface JobSpec {
  readonly activeDeadlineSeconds?: number | undefined;
  readonly backoffLimit?: number | undefined;
  readonly backoffLimitPerIndex?: number | undefined;
  readonly completionMode?: string | undefined;
  readonly completions?: number | undefined;
  readonly managedBy?: string | undefined;
  readonly manualSelector?: boolean | undefined;
  readonly maxFailedIndexes?: number | undefined;
  readonly parallelism?: number | undefined;
  readonly podFailurePolicy?: PodFailurePolicy | undefined;
  readonly podReplacementPolicy?: string | undefined;
  readonly selector?: LabelSelector | undefined;
  readonly successPolicy?: SuccessPolicy | undefined;
  readonly suspend?: boolean | undefined;
  readonly template: PodTemplateSpec;
  readonly ttlSecondsAfterFinished?: number | undefined;
}

export interface JobStatus {
  readonly active?: number | undefined;
  readonly completedIndexes?: string | undefined;
  readonly completionTime?: string | undefined;
  readonly conditions?: readonly JobCondition[] | undefined;
  readonly failed?: number | undefined;
  readonly failedIndexes?: string | undefined;
  readonly ready?: number | undefined;
  readonly startTime?: string | undefined;
  readonly succeeded?: number | undefined;
  readonly terminating?: number | undefined;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods | undefined;
}

export interface JobTemplateSpec {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: JobSpec | undefined;
}

export interface PodFailurePolicy {
  readonly rules: readonly PodFailurePolicyRule[];
}

export interface PodFailurePolicyOnExitCodesRequirement {
  readonly containerName?: string | undefined;
  readonly operator: string;
  readonly values: readonly number[];
}

export interface PodFailurePolicyOnPodConditionsPattern {
  readonly status?: string | undefined;
  readonly type: string;
}

export interface PodFailurePolicyRule {
  readonly action: string;
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement | undefined;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodConditionsPattern[] | undefined;
}

export interface SuccessPolicy {
  readonly rules: readonly SuccessPolicyRule[];
}

export interface SuccessPolicyRule {
  readonly succeededCount?: number | undefined;
  readonly succeededIndexes?: string | undefined;
}

export interface UncountedTerminatedPods {
  readonly failed?: readonly string[] | undefined;
  readonly succeeded?: readonly string[] | undefined;
}

export interface CertificateSigningRequest extends ObjectFields {
  readonly spec: CertificateSigningRequestSpec;
  readonly status?: CertificateSigningRequestStatus | undefined;
}

export type CertificateSigningRequestCondition = DeploymentCondition;

export interface CertificateSigningRequestSpec {
  readonly expirationSeconds?: number | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly request: string;
  readonly signerName: string;
  readonly uid?: string | undefined;
  readonly usages?: readonly string[] | undefined;
  readonly username?: string | undefined;
}

export interface CertificateSigningRequestStatus {
  readonly certificate?: string | undefined;
  readonly conditions?: readonly CertificateSigningRequestCondition[] | undefined;
}

export interface Lease extends ObjectFields {
  readonly spec?: LeaseSpec | undefined;
}

export interface LeaseSpec {
  readonly acquireTime?: string | undefined;
  readonly holderIdentity?: string | undefined;
  readonly leaseDurationSeconds?: number | undefined;
  readonly leaseTransitions?: number | undefined;
  readonly preferredHolder?: string | undefined;
  readonly renewTime?: string | undefined;
  readonly strategy?: string | undefined;
}

export interface AWSElasticBlockStoreVolumeSource {
  readonly fsType?: string | undefined;
  readonly partition?: number | undefined;
  readonly readOnly?: boolean | undefined;
  readonly volumeID: string;
}

export interface Affinity {
  readonly nodeAffinity?: NodeAffinity | undefined;
  readonly podAffinity?: PodAffinity | undefined;
  readonly podAntiAffinity?: PodAntiAffinity | undefined;
}

export interface AppArmorProfile {
  readonly localhostProfile?: string | undefined;
  readonly type: string;
}

export interface AttachedVolume {
  readonly devicePath: string;
  readonly name: string;
}

export interface AzureDiskVolumeSource {
  readonly cachingMode?: string | undefined;
  readonly diskName: string;
  readonly diskURI: string;
  readonly fsType?: string | undefined;
  readonly kind?: string | undefined;
  readonly readOnly?: boolean | undefined;
}

export interface AzureFilePersistentVolumeSource {
  readonly readOnly?: boolean | undefined;
  readonly secretName: string;
  readonly secretNamespace?: string | undefined;
  readonly shareName: string;
}

export interface AzureFileVolumeSource {
  readonly readOnly?: boolean | undefined;
  readonly secretName: string;
  readonly shareName: string;
}

export interface CSIPersistentVolumeSource {
  readonly controllerExpandSecretRef?: SecretReference | undefined;
  readonly controllerPublishSecretRef?: SecretReference | undefined;
  readonly driver: string;
  readonly fsType?: string | undefined;
  readonly nodeExpandSecretRef?: SecretReference | undefined;
  readonly nodePublishSecretRef?: SecretReference | undefined;
  readonly nodeStageSecretRef?: SecretReference | undefined;
  readonly readOnly?: boolean | undefined;
  readonly volumeAttributes?: Readonly<Record<string, string>> | undefined;
  readonly volumeHandle: string;
}

export interface CSIVolumeSource {
  readonly driver: string;
  readonly fsType?: string | undefined;
  readonly nodePublishSecretRef?: LocalObjectReference | undefined;
  readonly readOnly?: boolean | undefined;
  readonly volumeAttributes?: Readonly<Record<string, string>> | undefined;
}

export interface Capabilities {
  readonly add?: readonly string[] | undefined;
  readonly drop?: readonly string[] | undefined;
}

export interface CephFSPersistentVolumeSource {
  readonly monitors: readonly string[];
  readonly path?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretFile?: string | undefined;
  readonly secretRef?: SecretReference | undefined;
  readonly user?: string | undefined;
}

export interface CephFSVolumeSource {
  readonly monitors: readonly string[];
  readonly path?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretFile?: string | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly user?: string | undefined;
}

export interface CinderPersistentVolumeSource {
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: SecretReference | undefined;
  readonly volumeID: string;
}

export interface CinderVolumeSource {
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly volumeID: string;
}

export interface ClientIPConfig {
  readonly timeoutSeconds?: number | undefined;
}

export interface ClusterTrustBundleProjection {
  readonly labelSelector?: LabelSelector | undefined;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
  readonly path: string;
  readonly signerName?: string | undefined;
}

export interface ConfigMap extends ObjectFields {
  readonly binaryData?: Readonly<Record<string, string>> | undefined;
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly immutable?: boolean | undefined;
}

export interface ConfigMapEnvSource {
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

export interface ConfigMapKeySelector {
  readonly key: string;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

export interface ConfigMapNodeConfigSource {
  readonly kubeletConfigKey: string;
  readonly name: string;
  readonly namespace: string;
  readonly resourceVersion?: string | undefined;
  readonly uid?: string | undefined;
}

export interface ConfigMapProjection {
  readonly items?: readonly KeyToPath[] | undefined;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

export interface ConfigMapVolumeSource {
  readonly defaultMode?: number | undefined;
  readonly items?: readonly KeyToPath[] | undefined;
  readonly name?: string | undefined;
  readonly optional?: boolean | undefined;
}

export interface Container {
  readonly args?: readonly string[] | undefined;
  readonly command?: readonly string[] | undefined;
  readonly env?: readonly EnvVar[] | undefined;
  readonly envFrom?: readonly EnvFromSource[] | undefined;
  readonly image?: string | undefined;
  readonly imagePullPolicy?: string | undefined;
  readonly lifecycle?: Lifecycle | undefined;
  readonly livenessProbe?: Probe | undefined;
  readonly name: string;
  readonly ports?: readonly ContainerPort[] | undefined;
  readonly readinessProbe?: Probe | undefined;
  readonly resizePolicy?: readonly ContainerResizePolicy[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartPolicy?: string | undefined;
  readonly restartPolicyRules?: readonly ContainerRestartRule[] | undefined;
  readonly securityContext?: SecurityContext | undefined;
  readonly startupProbe?: Probe | undefined;
  readonly stdin?: boolean | undefined;
  readonly stdinOnce?: boolean | undefined;
  readonly terminationMessagePath?: string | undefined;
  readonly terminationMessagePolicy?: string | undefined;
  readonly tty?: boolean | undefined;
  readonly volumeDevices?: readonly VolumeDevice[] | undefined;
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  readonly workingDir?: string | undefined;
}

export interface ContainerExtendedResourceRequest {
  readonly containerName: string;
  readonly requestName: string;
  readonly resourceName: string;
}

export interface ContainerImage {
  readonly names?: readonly string[] | undefined;
  readonly sizeBytes?: number | undefined;
}

export interface ContainerPort {
  readonly containerPort: number;
  readonly hostIP?: string | undefined;
  readonly hostPort?: number | undefined;
  readonly name?: string | undefined;
  readonly protocol?: string | undefined;
}

export interface ContainerResizePolicy {
  readonly resourceName: string;
  readonly restartPolicy: string;
}

export interface ContainerRestartRule {
  readonly action: string;
  readonly exitCodes?: ContainerRestartRuleOnExitCodes | undefined;
}

export interface ContainerRestartRuleOnExitCodes {
  readonly operator: string;
  readonly values?: readonly number[] | undefined;
}

export interface ContainerState {
  readonly running?: ContainerStateRunning | undefined;
  readonly terminated?: ContainerStateTerminated | undefined;
  readonly waiting?: ContainerStateWaiting | undefined;
}

export interface ContainerStateRunning {
  readonly startedAt?: string | undefined;
}

export interface ContainerStateTerminated {
  readonly containerID?: string | undefined;
  readonly exitCode: number;
  readonly finishedAt?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly signal?: number | undefined;
  readonly startedAt?: string | undefined;
}

export interface ContainerStateWaiting {
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
}

export interface ContainerStatus {
  readonly allocatedResources?: Readonly<Record<string, string | number>> | undefined;
  readonly allocatedResourcesStatus?: readonly ResourceStatus[] | undefined;
  readonly containerID?: string | undefined;
  readonly image: string;
  readonly imageID: string;
  readonly lastState?: ContainerState | undefined;
  readonly name: string;
  readonly ready: boolean;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartCount: number;
  readonly started?: boolean | undefined;
  readonly state?: ContainerState | undefined;
  readonly stopSignal?: string | undefined;
  readonly user?: ContainerUser | undefined;
  readonly volumeMounts?: readonly VolumeMountStatus[] | undefined;
}

export interface ContainerUser {
  readonly linux?: LinuxContainerUser | undefined;
}

export interface DaemonEndpoint {
  readonly Port: number;
}

export interface DownwardAPIProjection {
  readonly items?: readonly DownwardAPIVolumeFile[] | undefined;
}

export interface DownwardAPIVolumeFile {
  readonly fieldRef?: ObjectFieldSelector | undefined;
  readonly mode?: number | undefined;
  readonly path: string;
  readonly resourceFieldRef?: ResourceFieldSelector | undefined;
}

export interface DownwardAPIVolumeSource {
  readonly defaultMode?: number | undefined;
  readonly items?: readonly DownwardAPIVolumeFile[] | undefined;
}

export interface EmptyDirVolumeSource {
  readonly medium?: string | undefined;
  readonly sizeLimit?: string | number | undefined;
}

export interface EndpointAddress {
  readonly hostname?: string | undefined;
  readonly ip: string;
  readonly nodeName?: string | undefined;
  readonly targetRef?: ObjectReference | undefined;
}

export interface CoreEndpointPort {
  readonly appProtocol?: string | undefined;
  readonly name?: string | undefined;
  readonly port: number;
  readonly protocol?: string | undefined;
}

export interface EndpointSubset {
  readonly addresses?: readonly EndpointAddress[] | undefined;
  readonly notReadyAddresses?: readonly EndpointAddress[] | undefined;
  readonly ports?: readonly CoreEndpointPort[] | undefined;
}

export interface Endpoints extends ObjectFields {
  readonly subsets?: readonly EndpointSubset[] | undefined;
}

export interface EnvFromSource {
  readonly configMapRef?: ConfigMapEnvSource | undefined;
  readonly prefix?: string | undefined;
  readonly secretRef?: SecretEnvSource | undefined;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string | undefined;
  readonly valueFrom?: EnvVarSource | undefined;
}

export interface EnvVarSource {
  readonly configMapKeyRef?: ConfigMapKeySelector | undefined;
  readonly fieldRef?: ObjectFieldSelector | undefined;
  readonly fileKeyRef?: FileKeySelector | undefined;
  readonly resourceFieldRef?: ResourceFieldSelector | undefined;
  readonly secretKeyRef?: SecretKeySelector | undefined;
}

export interface EphemeralContainer {
  readonly args?: readonly string[] | undefined;
  readonly command?: readonly string[] | undefined;
  readonly env?: readonly EnvVar[] | undefined;
  readonly envFrom?: readonly EnvFromSource[] | undefined;
  readonly image?: string | undefined;
  readonly imagePullPolicy?: string | undefined;
  readonly lifecycle?: Lifecycle | undefined;
  readonly livenessProbe?: Probe | undefined;
  readonly name: string;
  readonly ports?: readonly ContainerPort[] | undefined;
  readonly readinessProbe?: Probe | undefined;
  readonly resizePolicy?: readonly ContainerResizePolicy[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartPolicy?: string | undefined;
  readonly restartPolicyRules?: readonly ContainerRestartRule[] | undefined;
  readonly securityContext?: SecurityContext | undefined;
  readonly startupProbe?: Probe | undefined;
  readonly stdin?: boolean | undefined;
  readonly stdinOnce?: boolean | undefined;
  readonly targetContainerName?: string | undefined;
  readonly terminationMessagePath?: string | undefined;
  readonly terminationMessagePolicy?: string | undefined;
  readonly tty?: boolean | undefined;
  readonly volumeDevices?: readonly VolumeDevice[] | undefined;
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  readonly workingDir?: string | undefined;
}

export interface EphemeralVolumeSource {
  readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate | undefined;
}

export interface CoreEvent {
  readonly action?: string | undefined;
  readonly apiVersion?: string | undefined;
  readonly count?: number | undefined;
  readonly eventTime?: string | undefined;
  readonly firstTimestamp?: string | undefined;
  readonly involvedObject: ObjectReference;
  readonly kind?: string | undefined;
  readonly lastTimestamp?: string | undefined;
  readonly message?: string | undefined;
  readonly metadata: ObjectMeta;
  readonly reason?: string | undefined;
  readonly related?: ObjectReference | undefined;
  readonly reportingComponent?: string | undefined;
  readonly reportingInstance?: string | undefined;
  readonly series?: CoreEventSeries | undefined;
  readonly source?: EventSource | undefined;
  readonly type?: string | undefined;
}

export interface CoreEventSeries {
  readonly count?: number | undefined;
  readonly lastObservedTime?: string | undefined;
}

export interface EventSource {
  readonly component?: string | undefined;
  readonly host?: string | undefined;
}

export interface ExecAction {
  readonly command?: readonly string[] | undefined;
}

export interface FCVolumeSource {
  readonly fsType?: string | undefined;
  readonly lun?: number | undefined;
  readonly readOnly?: boolean | undefined;
  readonly targetWWNs?: readonly string[] | undefined;
  readonly wwids?: readonly string[] | undefined;
}

export interface FileKeySelector {
  readonly key: string;
  readonly optional?: boolean | undefined;
  readonly path: string;
  readonly volumeName: string;
}

export interface FlexPersistentVolumeSource {
  readonly driver: string;
  readonly fsType?: string | undefined;
  readonly options?: Readonly<Record<string, string>> | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: SecretReference | undefined;
}

export interface FlexVolumeSource {
  readonly driver: string;
  readonly fsType?: string | undefined;
  readonly options?: Readonly<Record<string, string>> | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
}

export interface FlockerVolumeSource {
  readonly datasetName?: string | undefined;
  readonly datasetUUID?: string | undefined;
}

export interface GCEPersistentDiskVolumeSource {
  readonly fsType?: string | undefined;
  readonly partition?: number | undefined;
  readonly pdName: string;
  readonly readOnly?: boolean | undefined;
}

export interface GRPCAction {
  readonly port: number;
  readonly service?: string | undefined;
}

export interface GitRepoVolumeSource {
  readonly directory?: string | undefined;
  readonly repository: string;
  readonly revision?: string | undefined;
}

export interface GlusterfsPersistentVolumeSource {
  readonly endpoints: string;
  readonly endpointsNamespace?: string | undefined;
  readonly path: string;
  readonly readOnly?: boolean | undefined;
}

export interface GlusterfsVolumeSource {
  readonly endpoints: string;
  readonly path: string;
  readonly readOnly?: boolean | undefined;
}

export interface HTTPGetAction {
  readonly host?: string | undefined;
  readonly httpHeaders?: readonly HTTPHeader[] | undefined;
  readonly path?: string | undefined;
  readonly port: number | string;
  readonly scheme?: string | undefined;
}

export interface HTTPHeader {
  readonly name: string;
  readonly value: string;
}

export interface HostAlias {
  readonly hostnames?: readonly string[] | undefined;
  readonly ip: string;
}

export interface HostIP {
  readonly ip: string;
}

export interface HostPathVolumeSource {
  readonly path: string;
  readonly type?: string | undefined;
}

export interface ISCSIPersistentVolumeSource {
  readonly chapAuthDiscovery?: boolean | undefined;
  readonly chapAuthSession?: boolean | undefined;
  readonly fsType?: string | undefined;
  readonly initiatorName?: string | undefined;
  readonly iqn: string;
  readonly iscsiInterface?: string | undefined;
  readonly lun: number;
  readonly portals?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: SecretReference | undefined;
  readonly targetPortal: string;
}

export interface ISCSIVolumeSource {
  readonly chapAuthDiscovery?: boolean | undefined;
  readonly chapAuthSession?: boolean | undefined;
  readonly fsType?: string | undefined;
  readonly initiatorName?: string | undefined;
  readonly iqn: string;
  readonly iscsiInterface?: string | undefined;
  readonly lun: number;
  readonly portals?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly targetPortal: string;
}

export interface ImageVolumeSource {
  readonly pullPolicy?: string | undefined;
  readonly reference?: string | undefined;
}

export interface ImageVolumeStatus {
  readonly imageRef: string;
}

export interface KeyToPath {
  readonly key: string;
  readonly mode?: number | undefined;
  readonly path: string;
}

export interface Lifecycle {
  readonly postStart?: LifecycleHandler | undefined;
  readonly preStop?: LifecycleHandler | undefined;
  readonly stopSignal?: string | undefined;
}

export interface LifecycleHandler {
  readonly exec?: ExecAction | undefined;
  readonly httpGet?: HTTPGetAction | undefined;
  readonly sleep?: SleepAction | undefined;
  readonly tcpSocket?: TCPSocketAction | undefined;
}

export interface LimitRange extends ObjectFields {
  readonly spec?: LimitRangeSpec | undefined;
}

export interface LimitRangeItem {
  readonly default?: Readonly<Record<string, string | number>> | undefined;
  readonly defaultRequest?: Readonly<Record<string, string | number>> | undefined;
  readonly max?: Readonly<Record<string, string | number>> | undefined;
  readonly maxLimitRequestRatio?: Readonly<Record<string, string | number>> | undefined;
  readonly min?: Readonly<Record<string, string | number>> | undefined;
  readonly type: string;
}

export interface LimitRangeSpec {
  readonly limits: readonly LimitRangeItem[];
}

export interface LinuxContainerUser {
  readonly gid: number;
  readonly supplementalGroups?: readonly number[] | undefined;
  readonly uid: number;
}

export interface LoadBalancerIngress {
  readonly hostname?: string | undefined;
  readonly ip?: string | undefined;
  readonly ipMode?: string | undefined;
  readonly ports?: readonly PortStatus[] | undefined;
}

export interface LoadBalancerStatus {
  readonly ingress?: readonly LoadBalancerIngress[] | undefined;
}

export interface LocalObjectReference {
  readonly name?: string | undefined;
}

export interface LocalVolumeSource {
  readonly fsType?: string | undefined;
  readonly path: string;
}

export interface ModifyVolumeStatus {
  readonly status: string;
  readonly targetVolumeAttributesClassName?: string | undefined;
}

export interface NFSVolumeSource {
  readonly path: string;
  readonly readOnly?: boolean | undefined;
  readonly server: string;
}

export interface Namespace extends ObjectFields {
  readonly spec?: NamespaceSpec | undefined;
  readonly status?: NamespaceStatus | undefined;
}

export type NamespaceCondition = DaemonSetCondition;

export interface NamespaceSpec {
  readonly finalizers?: readonly string[] | undefined;
}

export interface NamespaceStatus {
  readonly conditions?: readonly NamespaceCondition[] | undefined;
  readonly phase?: string | undefined;
}

export interface Node extends ObjectFields {
  readonly spec?: NodeSpec | undefined;
  readonly status?: NodeStatus | undefined;
}

export interface NodeAddress {
  readonly address: string;
  readonly type: string;
}

export interface NodeAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?:
    | readonly PreferredSchedulingTerm[]
    | undefined;
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector | undefined;
}

export interface NodeAllocatableResourceClaimStatus {
  readonly containers?: readonly string[] | undefined;
  readonly resourceClaimName: string;
  readonly resources: Readonly<Record<string, string | number>>;
}

export interface NodeCondition {
  readonly lastHeartbeatTime?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

export interface NodeConfigSource {
  readonly configMap?: ConfigMapNodeConfigSource | undefined;
}

export interface NodeConfigStatus {
  readonly active?: NodeConfigSource | undefined;
  readonly assigned?: NodeConfigSource | undefined;
  readonly error?: string | undefined;
  readonly lastKnownGood?: NodeConfigSource | undefined;
}

export interface NodeDaemonEndpoints {
  readonly kubeletEndpoint?: DaemonEndpoint | undefined;
}

export interface NodeFeatures {
  readonly supplementalGroupsPolicy?: boolean | undefined;
}

export interface NodeRuntimeHandler {
  readonly features?: NodeRuntimeHandlerFeatures | undefined;
  readonly name?: string | undefined;
}

export interface NodeRuntimeHandlerFeatures {
  readonly recursiveReadOnlyMounts?: boolean | undefined;
  readonly userNamespaces?: boolean | undefined;
}

export interface NodeSelector {
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[] | undefined;
  readonly matchFields?: readonly NodeSelectorRequirement[] | undefined;
}

export interface NodeSpec {
  readonly configSource?: NodeConfigSource | undefined;
  readonly externalID?: string | undefined;
  readonly podCIDR?: string | undefined;
  readonly podCIDRs?: readonly string[] | undefined;
  readonly providerID?: string | undefined;
  readonly taints?: readonly Taint[] | undefined;
  readonly unschedulable?: boolean | undefined;
}

export interface NodeStatus {
  readonly addresses?: readonly NodeAddress[] | undefined;
  readonly allocatable?: Readonly<Record<string, string | number>> | undefined;
  readonly capacity?: Readonly<Record<string, string | number>> | undefined;
  readonly conditions?: readonly NodeCondition[] | undefined;
  readonly config?: NodeConfigStatus | undefined;
  readonly daemonEndpoints?: NodeDaemonEndpoints | undefined;
  readonly declaredFeatures?: readonly string[] | undefined;
  readonly features?: NodeFeatures | undefined;
  readonly images?: readonly ContainerImage[] | undefined;
  readonly nodeInfo?: NodeSystemInfo | undefined;
  readonly phase?: string | undefined;
  readonly runtimeHandlers?: readonly NodeRuntimeHandler[] | undefined;
  readonly volumesAttached?: readonly AttachedVolume[] | undefined;
  readonly volumesInUse?: readonly string[] | undefined;
}

export interface NodeSwapStatus {
  readonly capacity?: number | undefined;
}

export interface NodeSystemInfo {
  readonly architecture: string;
  readonly bootID: string;
  readonly containerRuntimeVersion: string;
  readonly kernelVersion: string;
  readonly kubeProxyVersion: string;
  readonly kubeletVersion: string;
  readonly machineID: string;
  readonly operatingSystem: string;
  readonly osImage: string;
  readonly swap?: NodeSwapStatus | undefined;
  readonly systemUUID: string;
}

export interface ObjectFieldSelector {
  readonly apiVersion?: string | undefined;
  readonly fieldPath: string;
}

export interface ObjectReference {
  readonly apiVersion?: string | undefined;
  readonly fieldPath?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly uid?: string | undefined;
}

export interface PersistentVolume extends ObjectFields {
  readonly spec?: PersistentVolumeSpec | undefined;
  readonly status?: PersistentVolumeStatus | undefined;
}

export interface PersistentVolumeClaim extends ObjectFields {
  readonly spec?: PersistentVolumeClaimSpec | undefined;
  readonly status?: PersistentVolumeClaimStatus | undefined;
}

export type PersistentVolumeClaimCondition = JobCondition;

export interface PersistentVolumeClaimSpec {
  readonly accessModes?: readonly string[] | undefined;
  readonly dataSource?: TypedLocalObjectReference | undefined;
  readonly dataSourceRef?: TypedObjectReference | undefined;
  readonly resources?: VolumeResourceRequirements | undefined;
  readonly selector?: LabelSelector | undefined;
  readonly storageClassName?: string | undefined;
  readonly volumeAttributesClassName?: string | undefined;
  readonly volumeMode?: string | undefined;
  readonly volumeName?: string | undefined;
}

export interface PersistentVolumeClaimStatus {
  readonly accessModes?: readonly string[] | undefined;
  readonly allocatedResourceStatuses?: Readonly<Record<string, string>> | undefined;
  readonly allocatedResources?: Readonly<Record<string, string | number>> | undefined;
  readonly capacity?: Readonly<Record<string, string | number>> | undefined;
  readonly conditions?: readonly PersistentVolumeClaimCondition[] | undefined;
  readonly currentVolumeAttributesClassName?: string | undefined;
  readonly modifyVolumeStatus?: ModifyVolumeStatus | undefined;
  readonly phase?: string | undefined;
}

export interface PersistentVolumeClaimTemplate {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec: PersistentVolumeClaimSpec;
}

export interface PersistentVolumeClaimVolumeSource {
  readonly claimName: string;
  readonly readOnly?: boolean | undefined;
}

export interface PersistentVolumeSpec {
  readonly accessModes?: readonly string[] | undefined;
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  readonly azureDisk?: AzureDiskVolumeSource | undefined;
  readonly azureFile?: AzureFilePersistentVolumeSource | undefined;
  readonly capacity?: Readonly<Record<string, string | number>> | undefined;
  readonly cephfs?: CephFSPersistentVolumeSource | undefined;
  readonly cinder?: CinderPersistentVolumeSource | undefined;
  readonly claimRef?: ObjectReference | undefined;
  readonly csi?: CSIPersistentVolumeSource | undefined;
  readonly fc?: FCVolumeSource | undefined;
  readonly flexVolume?: FlexPersistentVolumeSource | undefined;
  readonly flocker?: FlockerVolumeSource | undefined;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  readonly glusterfs?: GlusterfsPersistentVolumeSource | undefined;
  readonly hostPath?: HostPathVolumeSource | undefined;
  readonly iscsi?: ISCSIPersistentVolumeSource | undefined;
  readonly local?: LocalVolumeSource | undefined;
  readonly mountOptions?: readonly string[] | undefined;
  readonly nfs?: NFSVolumeSource | undefined;
  readonly nodeAffinity?: VolumeNodeAffinity | undefined;
  readonly persistentVolumeReclaimPolicy?: string | undefined;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  readonly portworxVolume?: PortworxVolumeSource | undefined;
  readonly quobyte?: QuobyteVolumeSource | undefined;
  readonly rbd?: RBDPersistentVolumeSource | undefined;
  readonly scaleIO?: ScaleIOPersistentVolumeSource | undefined;
  readonly storageClassName?: string | undefined;
  readonly storageos?: StorageOSPersistentVolumeSource | undefined;
  readonly volumeAttributesClassName?: string | undefined;
  readonly volumeMode?: string | undefined;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
}

export interface PersistentVolumeStatus {
  readonly lastPhaseTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly phase?: string | undefined;
  readonly reason?: string | undefined;
}

export interface PhotonPersistentDiskVolumeSource {
  readonly fsType?: string | undefined;
  readonly pdID: string;
}

export interface Pod extends ObjectFields {
  readonly spec?: PodSpec | undefined;
  readonly status?: PodStatus | undefined;
}

export interface PodAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?:
    | readonly WeightedPodAffinityTerm[]
    | undefined;
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] | undefined;
}

export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector | undefined;
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly mismatchLabelKeys?: readonly string[] | undefined;
  readonly namespaceSelector?: LabelSelector | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly topologyKey: string;
}

export type PodAntiAffinity = PodAffinity;

export interface PodCertificateProjection {
  readonly certificateChainPath?: string | undefined;
  readonly credentialBundlePath?: string | undefined;
  readonly keyPath?: string | undefined;
  readonly keyType: string;
  readonly maxExpirationSeconds?: number | undefined;
  readonly signerName: string;
  readonly userAnnotations?: Readonly<Record<string, string>> | undefined;
}

export interface PodCondition {
  readonly lastProbeTime?: string | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

export interface PodDNSConfig {
  readonly nameservers?: readonly string[] | undefined;
  readonly options?: readonly PodDNSConfigOption[] | undefined;
  readonly searches?: readonly string[] | undefined;
}

export interface PodDNSConfigOption {
  readonly name?: string | undefined;
  readonly value?: string | undefined;
}

export interface PodExtendedResourceClaimStatus {
  readonly requestMappings: readonly ContainerExtendedResourceRequest[];
  readonly resourceClaimName: string;
}

export interface PodIP {
  readonly ip: string;
}

export interface PodOS {
  readonly name: string;
}

export interface PodReadinessGate {
  readonly conditionType: string;
}

export interface PodResourceClaim {
  readonly name: string;
  readonly resourceClaimName?: string | undefined;
  readonly resourceClaimTemplateName?: string | undefined;
}

export interface PodResourceClaimStatus {
  readonly name: string;
  readonly resourceClaimName?: string | undefined;
}

export interface PodSchedulingGate {
  readonly name: string;
}

export interface PodSchedulingGroup {
  readonly podGroupName?: string | undefined;
}

export interface PodSecurityContext {
  readonly appArmorProfile?: AppArmorProfile | undefined;
  readonly fsGroup?: number | undefined;
  readonly fsGroupChangePolicy?: string | undefined;
  readonly runAsGroup?: number | undefined;
  readonly runAsNonRoot?: boolean | undefined;
  readonly runAsUser?: number | undefined;
  readonly seLinuxChangePolicy?: string | undefined;
  readonly seLinuxOptions?: SELinuxOptions | undefined;
  readonly seccompProfile?: SeccompProfile | undefined;
  readonly supplementalGroups?: readonly number[] | undefined;
  readonly supplementalGroupsPolicy?: string | undefined;
  readonly sysctls?: readonly Sysctl[] | undefined;
  readonly windowsOptions?: WindowsSecurityContextOptions | undefined;
}

export interface PodSpec {
  readonly activeDeadlineSeconds?: number | undefined;
  readonly affinity?: Affinity | undefined;
  readonly automountServiceAccountToken?: boolean | undefined;
  readonly containers: readonly Container[];
  readonly dnsConfig?: PodDNSConfig | undefined;
  readonly dnsPolicy?: string | undefined;
  readonly enableServiceLinks?: boolean | undefined;
  readonly ephemeralContainers?: readonly EphemeralContainer[] | undefined;
  readonly hostAliases?: readonly HostAlias[] | undefined;
  readonly hostIPC?: boolean | undefined;
  readonly hostNetwork?: boolean | undefined;
  readonly hostPID?: boolean | undefined;
  readonly hostUsers?: boolean | undefined;
  readonly hostname?: string | undefined;
  readonly hostnameOverride?: string | undefined;
  readonly imagePullSecrets?: readonly LocalObjectReference[] | undefined;
  readonly initContainers?: readonly Container[] | undefined;
  readonly nodeName?: string | undefined;
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  readonly os?: PodOS | undefined;
  readonly overhead?: Readonly<Record<string, string | number>> | undefined;
  readonly preemptionPolicy?: string | undefined;
  readonly priority?: number | undefined;
  readonly priorityClassName?: string | undefined;
  readonly readinessGates?: readonly PodReadinessGate[] | undefined;
  readonly resourceClaims?: readonly PodResourceClaim[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly restartPolicy?: string | undefined;
  readonly runtimeClassName?: string | undefined;
  readonly schedulerName?: string | undefined;
  readonly schedulingGates?: readonly PodSchedulingGate[] | undefined;
  readonly schedulingGroup?: PodSchedulingGroup | undefined;
  readonly securityContext?: PodSecurityContext | undefined;
  readonly serviceAccount?: string | undefined;
  readonly serviceAccountName?: string | undefined;
  readonly setHostnameAsFQDN?: boolean | undefined;
  readonly shareProcessNamespace?: boolean | undefined;
  readonly subdomain?: string | undefined;
  readonly terminationGracePeriodSeconds?: number | undefined;
  readonly tolerations?: readonly Toleration[] | undefined;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[] | undefined;
  readonly volumes?: readonly Volume[] | undefined;
}

export interface PodStatus {
  readonly allocatedResources?: Readonly<Record<string, string | number>> | undefined;
  readonly conditions?: readonly PodCondition[] | undefined;
  readonly containerStatuses?: readonly ContainerStatus[] | undefined;
  readonly ephemeralContainerStatuses?: readonly ContainerStatus[] | undefined;
  readonly extendedResourceClaimStatus?: PodExtendedResourceClaimStatus | undefined;
  readonly hostIP?: string | undefined;
  readonly hostIPs?: readonly HostIP[] | undefined;
  readonly initContainerStatuses?: readonly ContainerStatus[] | undefined;
  readonly message?: string | undefined;
  readonly nodeAllocatableResourceClaimStatuses?:
    | readonly NodeAllocatableResourceClaimStatus[]
    | undefined;
  readonly nominatedNodeName?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly phase?: string | undefined;
  readonly podIP?: string | undefined;
  readonly podIPs?: readonly PodIP[] | undefined;
  readonly qosClass?: string | undefined;
  readonly reason?: string | undefined;
  readonly resize?: string | undefined;
  readonly resourceClaimStatuses?: readonly PodResourceClaimStatus[] | undefined;
  readonly resources?: ResourceRequirements | undefined;
  readonly startTime?: string | undefined;
}

export interface PodTemplate extends ObjectFields {
  readonly template?: PodTemplateSpec | undefined;
}

export interface PodTemplateSpec {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: PodSpec | undefined;
}

export interface PortStatus {
  readonly error?: string | undefined;
  readonly port: number;
  readonly protocol: string;
}

export interface PortworxVolumeSource {
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly volumeID: string;
}

export interface PreferredSchedulingTerm {
  readonly preference: NodeSelectorTerm;
  readonly weight: number;
}

export interface Probe {
  readonly exec?: ExecAction | undefined;
  readonly failureThreshold?: number | undefined;
  readonly grpc?: GRPCAction | undefined;
  readonly httpGet?: HTTPGetAction | undefined;
  readonly initialDelaySeconds?: number | undefined;
  readonly periodSeconds?: number | undefined;
  readonly successThreshold?: number | undefined;
  readonly tcpSocket?: TCPSocketAction | undefined;
  readonly terminationGracePeriodSeconds?: number | undefined;
  readonly timeoutSeconds?: number | undefined;
}

export interface ProjectedVolumeSource {
  readonly defaultMode?: number | undefined;
  readonly sources?: readonly VolumeProjection[] | undefined;
}

export interface QuobyteVolumeSource {
  readonly group?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly registry: string;
  readonly tenant?: string | undefined;
  readonly user?: string | undefined;
  readonly volume: string;
}

export interface RBDPersistentVolumeSource {
  readonly fsType?: string | undefined;
  readonly image: string;
  readonly keyring?: string | undefined;
  readonly monitors: readonly string[];
  readonly pool?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: SecretReference | undefined;
  readonly user?: string | undefined;
}

export interface RBDVolumeSource {
  readonly fsType?: string | undefined;
  readonly image: string;
  readonly keyring?: string | undefined;
  readonly monitors: readonly string[];
  readonly pool?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly user?: string | undefined;
}

export interface ReplicationController extends ObjectFields {
  readonly spec?: ReplicationControllerSpec | undefined;
  readonly status?: ReplicationControllerStatus | undefined;
}

export type ReplicationControllerCondition = DaemonSetCondition;

export interface ReplicationControllerSpec {
  readonly minReadySeconds?: number | undefined;
  readonly replicas?: number | undefined;
  readonly selector?: Readonly<Record<string, string>> | undefined;
  readonly template?: PodTemplateSpec | undefined;
}

export interface ReplicationControllerStatus {
  readonly availableReplicas?: number | undefined;
  readonly conditions?: readonly ReplicationControllerCondition[] | undefined;
  readonly fullyLabeledReplicas?: number | undefined;
  readonly observedGeneration?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly replicas: number;
}

export interface CoreResourceClaim {
  readonly name: string;
  readonly request?: string | undefined;
}

export interface ResourceFieldSelector {
  readonly containerName?: string | undefined;
  readonly divisor?: string | number | undefined;
  readonly resource: string;
}

export interface ResourceHealth {
  readonly health?: string | undefined;
  readonly message?: string | undefined;
  readonly resourceID: string;
}

export interface ResourceQuota extends ObjectFields {
  readonly spec?: ResourceQuotaSpec | undefined;
  readonly status?: ResourceQuotaStatus | undefined;
}

export interface ResourceQuotaSpec {
  readonly hard?: Readonly<Record<string, string | number>> | undefined;
  readonly scopeSelector?: ScopeSelector | undefined;
  readonly scopes?: readonly string[] | undefined;
}

export interface ResourceQuotaStatus {
  readonly hard?: Readonly<Record<string, string | number>> | undefined;
  readonly used?: Readonly<Record<string, string | number>> | undefined;
}

export interface ResourceRequirements {
  readonly claims?: readonly CoreResourceClaim[] | undefined;
  readonly limits?: Readonly<Record<string, string | number>> | undefined;
  readonly requests?: Readonly<Record<string, string | number>> | undefined;
}

export interface ResourceStatus {
  readonly name: string;
  readonly resources?: readonly ResourceHealth[] | undefined;
}

export interface SELinuxOptions {
  readonly level?: string | undefined;
  readonly role?: string | undefined;
  readonly type?: string | undefined;
  readonly user?: string | undefined;
}

export interface ScaleIOPersistentVolumeSource {
  readonly fsType?: string | undefined;
  readonly gateway: string;
  readonly protectionDomain?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef: SecretReference;
  readonly sslEnabled?: boolean | undefined;
  readonly storageMode?: string | undefined;
  readonly storagePool?: string | undefined;
  readonly system: string;
  readonly volumeName?: string | undefined;
}

export interface ScaleIOVolumeSource {
  readonly fsType?: string | undefined;
  readonly gateway: string;
  readonly protectionDomain?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef: LocalObjectReference;
  readonly sslEnabled?: boolean | undefined;
  readonly storageMode?: string | undefined;
  readonly storagePool?: string | undefined;
  readonly system: string;
  readonly volumeName?: string | undefined;
}

export interface ScopeSelector {
  readonly matchExpressions?: readonly ScopedResourceSelectorRequirement[] | undefined;
}

export interface ScopedResourceSelectorRequirement {
  readonly operator: string;
  readonly scopeName: string;
  readonly values?: readonly string[] | undefined;
}

export type SeccompProfile = AppArmorProfile;

export interface Secret extends ObjectFields {
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly immutable?: boolean | undefined;
  readonly stringData?: Readonly<Record<string, string>> | undefined;
  readonly type?: string | undefined;
}

export type SecretEnvSource = ConfigMapEnvSource;

export type SecretKeySelector = ConfigMapKeySelector;

export type SecretProjection = ConfigMapProjection;

export interface SecretReference {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

export interface SecretVolumeSource {
  readonly defaultMode?: number | undefined;
  readonly items?: readonly KeyToPath[] | undefined;
  readonly optional?: boolean | undefined;
  readonly secretName?: string | undefined;
}

export interface SecurityContext {
  readonly allowPrivilegeEscalation?: boolean | undefined;
  readonly appArmorProfile?: AppArmorProfile | undefined;
  readonly capabilities?: Capabilities | undefined;
  readonly privileged?: boolean | undefined;
  readonly procMount?: string | undefined;
  readonly readOnlyRootFilesystem?: boolean | undefined;
  readonly runAsGroup?: number | undefined;
  readonly runAsNonRoot?: boolean | undefined;
  readonly runAsUser?: number | undefined;
  readonly seLinuxOptions?: SELinuxOptions | undefined;
  readonly seccompProfile?: SeccompProfile | undefined;
  readonly windowsOptions?: WindowsSecurityContextOptions | undefined;
}

export interface Service extends ObjectFields {
  readonly spec?: ServiceSpec | undefined;
  readonly status?: ServiceStatus | undefined;
}

export interface ServiceAccount extends ObjectFields {
  readonly automountServiceAccountToken?: boolean | undefined;
  readonly imagePullSecrets?: readonly LocalObjectReference[] | undefined;
  readonly secrets?: readonly ObjectReference[] | undefined;
}

export interface ServiceAccountTokenProjection {
  readonly audience?: string | undefined;
  readonly expirationSeconds?: number | undefined;
  readonly path: string;
}

export interface ServicePort {
  readonly appProtocol?: string | undefined;
  readonly name?: string | undefined;
  readonly nodePort?: number | undefined;
  readonly port: number;
  readonly protocol?: string | undefined;
  readonly targetPort?: number | string | undefined;
}

export interface ServiceSpec {
  readonly allocateLoadBalancerNodePorts?: boolean | undefined;
  readonly clusterIP?: string | undefined;
  readonly clusterIPs?: readonly string[] | undefined;
  readonly externalIPs?: readonly string[] | undefined;
  readonly externalName?: string | undefined;
  readonly externalTrafficPolicy?: string | undefined;
  readonly healthCheckNodePort?: number | undefined;
  readonly internalTrafficPolicy?: string | undefined;
  readonly ipFamilies?: readonly string[] | undefined;
  readonly ipFamilyPolicy?: string | undefined;
  readonly loadBalancerClass?: string | undefined;
  readonly loadBalancerIP?: string | undefined;
  readonly loadBalancerSourceRanges?: readonly string[] | undefined;
  readonly ports?: readonly ServicePort[] | undefined;
  readonly publishNotReadyAddresses?: boolean | undefined;
  readonly selector?: Readonly<Record<string, string>> | undefined;
  readonly sessionAffinity?: string | undefined;
  readonly sessionAffinityConfig?: SessionAffinityConfig | undefined;
  readonly trafficDistribution?: string | undefined;
  readonly type?: string | undefined;
}

export interface ServiceStatus {
  readonly conditions?: readonly Condition[] | undefined;
  readonly loadBalancer?: LoadBalancerStatus | undefined;
}

export interface SessionAffinityConfig {
  readonly clientIP?: ClientIPConfig | undefined;
}

export interface SleepAction {
  readonly seconds: number;
}

export interface StorageOSPersistentVolumeSource {
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: ObjectReference | undefined;
  readonly volumeName?: string | undefined;
  readonly volumeNamespace?: string | undefined;
}

export interface StorageOSVolumeSource {
  readonly fsType?: string | undefined;
  readonly readOnly?: boolean | undefined;
  readonly secretRef?: LocalObjectReference | undefined;
  readonly volumeName?: string | undefined;
  readonly volumeNamespace?: string | undefined;
}

export interface Sysctl {
  readonly name: string;
  readonly value: string;
}

export interface TCPSocketAction {
  readonly host?: string | undefined;
  readonly port: number | string;
}

export interface Taint {
  readonly effect: string;
  readonly key: string;
  readonly timeAdded?: string | undefined;
  readonly value?: string | undefined;
}

export interface Toleration {
  readonly effect?: string | undefined;
  readonly key?: string | undefined;
  readonly operator?: string | undefined;
  readonly tolerationSeconds?: number | undefined;
  readonly value?: string | undefined;
}

export interface TopologySelectorLabelRequirement {
  readonly key: string;
  readonly values: readonly string[];
}

export interface TopologySelectorTerm {
  readonly matchLabelExpressions?: readonly TopologySelectorLabelRequirement[] | undefined;
}

export interface TopologySpreadConstraint {
  readonly labelSelector?: LabelSelector | undefined;
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly maxSkew: number;
  readonly minDomains?: number | undefined;
  readonly nodeAffinityPolicy?: string | undefined;
  readonly nodeTaintsPolicy?: string | undefined;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
}

export interface TypedLocalObjectReference {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
}

export interface TypedObjectReference {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

export interface Volume {
  readonly awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
  readonly azureDisk?: AzureDiskVolumeSource | undefined;
  readonly azureFile?: AzureFileVolumeSource | undefined;
  readonly cephfs?: CephFSVolumeSource | undefined;
  readonly cinder?: CinderVolumeSource | undefined;
  readonly configMap?: ConfigMapVolumeSource | undefined;
  readonly csi?: CSIVolumeSource | undefined;
  readonly downwardAPI?: DownwardAPIVolumeSource | undefined;
  readonly emptyDir?: EmptyDirVolumeSource | undefined;
  readonly ephemeral?: EphemeralVolumeSource | undefined;
  readonly fc?: FCVolumeSource | undefined;
  readonly flexVolume?: FlexVolumeSource | undefined;
  readonly flocker?: FlockerVolumeSource | undefined;
  readonly gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
  readonly gitRepo?: GitRepoVolumeSource | undefined;
  readonly glusterfs?: GlusterfsVolumeSource | undefined;
  readonly hostPath?: HostPathVolumeSource | undefined;
  readonly image?: ImageVolumeSource | undefined;
  readonly iscsi?: ISCSIVolumeSource | undefined;
  readonly name: string;
  readonly nfs?: NFSVolumeSource | undefined;
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource | undefined;
  readonly photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
  readonly portworxVolume?: PortworxVolumeSource | undefined;
  readonly projected?: ProjectedVolumeSource | undefined;
  readonly quobyte?: QuobyteVolumeSource | undefined;
  readonly rbd?: RBDVolumeSource | undefined;
  readonly scaleIO?: ScaleIOVolumeSource | undefined;
  readonly secret?: SecretVolumeSource | undefined;
  readonly storageos?: StorageOSVolumeSource | undefined;
  readonly vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
}

export interface VolumeDevice {
  readonly devicePath: string;
  readonly name: string;
}

export interface VolumeMount {
  readonly mountPath: string;
  readonly mountPropagation?: string | undefined;
  readonly name: string;
  readonly readOnly?: boolean | undefined;
  readonly recursiveReadOnly?: string | undefined;
  readonly subPath?: string | undefined;
  readonly subPathExpr?: string | undefined;
}

export interface VolumeMountStatus {
  readonly mountPath: string;
  readonly name: string;
  readonly readOnly?: boolean | undefined;
  readonly recursiveReadOnly?: string | undefined;
  readonly volumeStatus?: VolumeStatus | undefined;
}

export interface VolumeNodeAffinity {
  readonly required?: NodeSelector | undefined;
}

export interface VolumeProjection {
  readonly clusterTrustBundle?: ClusterTrustBundleProjection | undefined;
  readonly configMap?: ConfigMapProjection | undefined;
  readonly downwardAPI?: DownwardAPIProjection | undefined;
  readonly podCertificate?: PodCertificateProjection | undefined;
  readonly secret?: SecretProjection | undefined;
  readonly serviceAccountToken?: ServiceAccountTokenProjection | undefined;
}

export interface VolumeResourceRequirements {
  readonly limits?: Readonly<Record<string, string | number>> | undefined;
  readonly requests?: Readonly<Record<string, string | number>> | undefined;
}

export interface VolumeStatus {
  readonly image?: ImageVolumeStatus | undefined;
}

export interface VsphereVirtualDiskVolumeSource {
  readonly fsType?: string | undefined;
  readonly storagePolicyID?: string | undefined;
  readonly storagePolicyName?: string | undefined;
  readonly volumePath: string;
}

export interface WeightedPodAffinityTerm {
  readonly podAffinityTerm: PodAffinityTerm;
  readonly weight: number;
}

export interface WindowsSecurityContextOptions {
  readonly gmsaCredentialSpec?: string | undefined;
  readonly gmsaCredentialSpecName?: string | undefined;
  readonly hostProcess?: boolean | undefined;
  readonly runAsUserName?: string | undefined;
}

export interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: EndpointConditions | undefined;
  readonly deprecatedTopology?: Readonly<Record<string, string>> | undefined;
  readonly hints?: EndpointHints | undefined;
  readonly hostname?: string | undefined;
  readonly nodeName?: string | undefined;
  readonly targetRef?: ObjectReference | undefined;
  readonly zone?: string | undefined;
}

export interface EndpointConditions {
  readonly ready?: boolean | undefined;
  readonly serving?: boolean | undefined;
  readonly terminating?: boolean | undefined;
}

export interface EndpointHints {
  readonly forNodes?: readonly ForNode[] | undefined;
  readonly forZones?: readonly ForZone[] | undefined;
}

export interface DiscoveryEndpointPort {
  readonly appProtocol?: string | undefined;
  readonly name?: string | undefined;
  readonly port?: number | undefined;
  readonly protocol?: string | undefined;
}

export interface EndpointSlice extends ObjectFields {
  readonly addressType: string;
  readonly endpoints?: readonly Endpoint[] | undefined;
  readonly ports?: readonly DiscoveryEndpointPort[] | undefined;
}

export interface ForNode {
  readonly name: string;
}

export interface ForZone {
  readonly name: string;
}

export interface EventsEvent extends ObjectFields {
  readonly action?: string | undefined;
  readonly deprecatedCount?: number | undefined;
  readonly deprecatedFirstTimestamp?: string | undefined;
  readonly deprecatedLastTimestamp?: string | undefined;
  readonly deprecatedSource?: EventSource | undefined;
  readonly eventTime: string;
  readonly note?: string | undefined;
  readonly reason?: string | undefined;
  readonly regarding?: ObjectReference | undefined;
  readonly related?: ObjectReference | undefined;
  readonly reportingController?: string | undefined;
  readonly reportingInstance?: string | undefined;
  readonly series?: EventsEventSeries | undefined;
  readonly type?: string | undefined;
}

export interface EventsEventSeries {
  readonly count: number;
  readonly lastObservedTime: string;
}

export interface ExemptPriorityLevelConfiguration {
  readonly lendablePercent?: number | undefined;
  readonly nominalConcurrencyShares?: number | undefined;
}

export interface FlowDistinguisherMethod {
  readonly type: string;
}

export interface FlowSchema extends ObjectFields {
  readonly spec?: FlowSchemaSpec | undefined;
  readonly status?: FlowSchemaStatus | undefined;
}

export interface FlowSchemaCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly status?: string | undefined;
  readonly type?: string | undefined;
}

export interface FlowSchemaSpec {
  readonly distinguisherMethod?: FlowDistinguisherMethod | undefined;
  readonly matchingPrecedence?: number | undefined;
  readonly priorityLevelConfiguration: PriorityLevelConfigurationReference;
  readonly rules?: readonly PolicyRulesWithSubjects[] | undefined;
}

export interface FlowSchemaStatus {
  readonly conditions?: readonly FlowSchemaCondition[] | undefined;
}

export interface GroupSubject {
  readonly name: string;
}

export interface LimitResponse {
  readonly queuing?: QueuingConfiguration | undefined;
  readonly type: string;
}

export interface LimitedPriorityLevelConfiguration {
  readonly borrowingLimitPercent?: number | undefined;
  readonly lendablePercent?: number | undefined;
  readonly limitResponse?: LimitResponse | undefined;
  readonly nominalConcurrencyShares?: number | undefined;
}

export interface NonResourcePolicyRule {
  readonly nonResourceURLs: readonly string[];
  readonly verbs: readonly string[];
}

export interface PolicyRulesWithSubjects {
  readonly nonResourceRules?: readonly NonResourcePolicyRule[] | undefined;
  readonly resourceRules?: readonly ResourcePolicyRule[] | undefined;
  readonly subjects: readonly FlowcontrolSubject[];
}

export interface PriorityLevelConfiguration extends ObjectFields {
  readonly spec?: PriorityLevelConfigurationSpec | undefined;
  readonly status?: PriorityLevelConfigurationStatus | undefined;
}

export type PriorityLevelConfigurationCondition = FlowSchemaCondition;

export interface PriorityLevelConfigurationReference {
  readonly name: string;
}

export interface PriorityLevelConfigurationSpec {
  readonly exempt?: ExemptPriorityLevelConfiguration | undefined;
  readonly limited?: LimitedPriorityLevelConfiguration | undefined;
  readonly type: string;
}

export interface PriorityLevelConfigurationStatus {
  readonly conditions?: readonly PriorityLevelConfigurationCondition[] | undefined;
}

export interface QueuingConfiguration {
  readonly handSize?: number | undefined;
  readonly queueLengthLimit?: number | undefined;
  readonly queues?: number | undefined;
}

export interface ResourcePolicyRule {
  readonly apiGroups: readonly string[];
  readonly clusterScope?: boolean | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

export interface ServiceAccountSubject {
  readonly name: string;
  readonly namespace: string;
}

export interface FlowcontrolSubject {
  readonly group?: GroupSubject | undefined;
  readonly kind: string;
  readonly serviceAccount?: ServiceAccountSubject | undefined;
  readonly user?: UserSubject | undefined;
}

export type UserSubject = GroupSubject;

export interface HTTPIngressPath {
  readonly backend: IngressBackend;
  readonly path?: string | undefined;
  readonly pathType: string;
}

export interface HTTPIngressRuleValue {
  readonly paths: readonly HTTPIngressPath[];
}

export interface IPAddress extends ObjectFields {
  readonly spec: IPAddressSpec;
}

export interface IPAddressSpec {
  readonly parentRef: ParentReference;
}

export interface IPBlock {
  readonly cidr: string;
  readonly except?: readonly string[] | undefined;
}

export interface Ingress extends ObjectFields {
  readonly spec?: IngressSpec | undefined;
  readonly status?: IngressStatus | undefined;
}

export interface IngressBackend {
  readonly resource?: TypedLocalObjectReference | undefined;
  readonly service?: IngressServiceBackend | undefined;
}

export interface IngressClass extends ObjectFields {
  readonly spec?: IngressClassSpec | undefined;
}

export interface IngressClassParametersReference {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly scope?: string | undefined;
}

export interface IngressClassSpec {
  readonly controller?: string | undefined;
  readonly parameters?: IngressClassParametersReference | undefined;
}

export interface IngressLoadBalancerIngress {
  readonly hostname?: string | undefined;
  readonly ip?: string | undefined;
  readonly ports?: readonly IngressPortStatus[] | undefined;
}

export interface IngressLoadBalancerStatus {
  readonly ingress?: readonly IngressLoadBalancerIngress[] | undefined;
}

export type IngressPortStatus = PortStatus;

export interface IngressRule {
  readonly host?: string | undefined;
  readonly http?: HTTPIngressRuleValue | undefined;
}

export interface IngressServiceBackend {
  readonly name: string;
  readonly port?: ServiceBackendPort | undefined;
}

export interface IngressSpec {
  readonly defaultBackend?: IngressBackend | undefined;
  readonly ingressClassName?: string | undefined;
  readonly rules?: readonly IngressRule[] | undefined;
  readonly tls?: readonly IngressTLS[] | undefined;
}

export interface IngressStatus {
  readonly loadBalancer?: IngressLoadBalancerStatus | undefined;
}

export interface IngressTLS {
  readonly hosts?: readonly string[] | undefined;
  readonly secretName?: string | undefined;
}

export interface NetworkPolicy extends ObjectFields {
  readonly spec?: NetworkPolicySpec | undefined;
}

export interface NetworkPolicyEgressRule {
  readonly ports?: readonly NetworkPolicyPort[] | undefined;
  readonly to?: readonly NetworkPolicyPeer[] | undefined;
}

export interface NetworkPolicyIngressRule {
  readonly from?: readonly NetworkPolicyPeer[] | undefined;
  readonly ports?: readonly NetworkPolicyPort[] | undefined;
}

export interface NetworkPolicyPeer {
  readonly ipBlock?: IPBlock | undefined;
  readonly namespaceSelector?: LabelSelector | undefined;
  readonly podSelector?: LabelSelector | undefined;
}

export interface NetworkPolicyPort {
  readonly endPort?: number | undefined;
  readonly port?: number | string | undefined;
  readonly protocol?: string | undefined;
}

export interface NetworkPolicySpec {
  readonly egress?: readonly NetworkPolicyEgressRule[] | undefined;
  readonly ingress?: readonly NetworkPolicyIngressRule[] | undefined;
  readonly podSelector?: LabelSelector | undefined;
  readonly policyTypes?: readonly string[] | undefined;
}

export interface ParentReference {
  readonly group?: string | undefined;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly resource: string;
}

export interface ServiceBackendPort {
  readonly name?: string | undefined;
  readonly number?: number | undefined;
}

export interface ServiceCIDR extends ObjectFields {
  readonly spec?: ServiceCIDRSpec | undefined;
  readonly status?: ServiceCIDRStatus | undefined;
}

export interface ServiceCIDRSpec {
  readonly cidrs?: readonly string[] | undefined;
}

export interface ServiceCIDRStatus {
  readonly conditions?: readonly Condition[] | undefined;
}

export interface Overhead {
  readonly podFixed?: Readonly<Record<string, string | number>> | undefined;
}

export interface RuntimeClass extends ObjectFields {
  readonly handler: string;
  readonly overhead?: Overhead | undefined;
  readonly scheduling?: Scheduling | undefined;
}

export interface Scheduling {
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  readonly tolerations?: readonly Toleration[] | undefined;
}

export interface PodDisruptionBudget extends ObjectFields {
  readonly spec?: PodDisruptionBudgetSpec | undefined;
  readonly status?: PodDisruptionBudgetStatus | undefined;
}

export interface PodDisruptionBudgetSpec {
  readonly maxUnavailable?: number | string | undefined;
  readonly minAvailable?: number | string | undefined;
  readonly selector?: LabelSelector | undefined;
  readonly unhealthyPodEvictionPolicy?: string | undefined;
}

export interface PodDisruptionBudgetStatus {
  readonly conditions?: readonly Condition[] | undefined;
  readonly currentHealthy?: number | undefined;
  readonly desiredHealthy?: number | undefined;
  readonly disruptedPods?: Readonly<Record<string, string>> | undefined;
  readonly disruptionsAllowed?: number | undefined;
  readonly expectedPods?: number | undefined;
  readonly observedGeneration?: number | undefined;
}

export interface AggregationRule {
  readonly clusterRoleSelectors?: readonly LabelSelector[] | undefined;
}

export interface ClusterRole extends ObjectFields {
  readonly aggregationRule?: AggregationRule | undefined;
  readonly rules?: readonly PolicyRule[] | undefined;
}

export interface ClusterRoleBinding extends ObjectFields {
  readonly roleRef: RoleRef;
  readonly subjects?: readonly RbacSubject[] | undefined;
}

export interface PolicyRule {
  readonly apiGroups?: readonly string[] | undefined;
  readonly nonResourceURLs?: readonly string[] | undefined;
  readonly resourceNames?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly verbs: readonly string[];
}

export interface Role extends ObjectFields {
  readonly rules?: readonly PolicyRule[] | undefined;
}

export interface RoleBinding extends ObjectFields {
  readonly roleRef: RoleRef;
  readonly subjects?: readonly RbacSubject[] | undefined;
}

export interface RoleRef {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
}

export interface RbacSubject {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

export interface AllocatedDeviceStatus {
  readonly conditions?: readonly Condition[] | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly device: string;
  readonly driver: string;
  readonly networkData?: NetworkDeviceData | undefined;
  readonly pool: string;
  readonly shareID?: string | undefined;
}

export interface AllocationResult {
  readonly allocationTimestamp?: string | undefined;
  readonly devices?: DeviceAllocationResult | undefined;
  readonly nodeSelector?: NodeSelector | undefined;
}

export interface CELDeviceSelector {
  readonly expression: string;
}

export interface CapacityRequestPolicy {
  readonly default?: string | number | undefined;
  readonly validRange?: CapacityRequestPolicyRange | undefined;
  readonly validValues?: readonly (string | number)[] | undefined;
}

export interface CapacityRequestPolicyRange {
  readonly max?: string | number | undefined;
  readonly min: string | number;
  readonly step?: string | number | undefined;
}

export interface CapacityRequirements {
  readonly requests?: Readonly<Record<string, string | number>> | undefined;
}

export interface Counter {
  readonly value: string | number;
}

export interface CounterSet {
  readonly counters: Readonly<Record<string, Counter>>;
  readonly name: string;
}

export interface Device {
  readonly allNodes?: boolean | undefined;
  readonly allowMultipleAllocations?: boolean | undefined;
  readonly attributes?: Readonly<Record<string, DeviceAttribute>> | undefined;
  readonly bindingConditions?: readonly string[] | undefined;
  readonly bindingFailureConditions?: readonly string[] | undefined;
  readonly bindsToNode?: boolean | undefined;
  readonly capacity?: Readonly<Record<string, DeviceCapacity>> | undefined;
  readonly consumesCounters?: readonly DeviceCounterConsumption[] | undefined;
  readonly name: string;
  readonly nodeAllocatableResourceMappings?:
    | Readonly<Record<string, NodeAllocatableResourceMapping>>
    | undefined;
  readonly nodeName?: string | undefined;
  readonly nodeSelector?: NodeSelector | undefined;
  readonly taints?: readonly DeviceTaint[] | undefined;
}

export interface DeviceAllocationConfiguration {
  readonly opaque?: OpaqueDeviceConfiguration | undefined;
  readonly requests?: readonly string[] | undefined;
  readonly source: string;
}

export interface DeviceAllocationResult {
  readonly config?: readonly DeviceAllocationConfiguration[] | undefined;
  readonly results?: readonly DeviceRequestAllocationResult[] | undefined;
}

export interface DeviceAttribute {
  readonly bool?: boolean | undefined;
  readonly bools?: readonly boolean[] | undefined;
  readonly int?: number | undefined;
  readonly ints?: readonly number[] | undefined;
  readonly string?: string | undefined;
  readonly strings?: readonly string[] | undefined;
  readonly version?: string | undefined;
  readonly versions?: readonly string[] | undefined;
}

export interface DeviceCapacity {
  readonly requestPolicy?: CapacityRequestPolicy | undefined;
  readonly value: string | number;
}

export interface DeviceClaim {
  readonly config?: readonly DeviceClaimConfiguration[] | undefined;
  readonly constraints?: readonly DeviceConstraint[] | undefined;
  readonly requests?: readonly DeviceRequest[] | undefined;
}

export interface DeviceClaimConfiguration {
  readonly opaque?: OpaqueDeviceConfiguration | undefined;
  readonly requests?: readonly string[] | undefined;
}

export interface DeviceClass extends ObjectFields {
  readonly spec: DeviceClassSpec;
}

export interface DeviceClassConfiguration {
  readonly opaque?: OpaqueDeviceConfiguration | undefined;
}

export interface DeviceClassSpec {
  readonly config?: readonly DeviceClassConfiguration[] | undefined;
  readonly extendedResourceName?: string | undefined;
  readonly selectors?: readonly DeviceSelector[] | undefined;
}

export interface DeviceConstraint {
  readonly distinctAttribute?: string | undefined;
  readonly matchAttribute?: string | undefined;
  readonly requests?: readonly string[] | undefined;
}

export interface DeviceCounterConsumption {
  readonly counterSet: string;
  readonly counters: Readonly<Record<string, Counter>>;
}

export interface DeviceRequest {
  readonly exactly?: ExactDeviceRequest | undefined;
  readonly firstAvailable?: readonly DeviceSubRequest[] | undefined;
  readonly name: string;
}

export interface DeviceRequestAllocationResult {
  readonly adminAccess?: boolean | undefined;
  readonly bindingConditions?: readonly string[] | undefined;
  readonly bindingFailureConditions?: readonly string[] | undefined;
  readonly consumedCapacity?: Readonly<Record<string, string | number>> | undefined;
  readonly device: string;
  readonly driver: string;
  readonly pool: string;
  readonly request: string;
  readonly shareID?: string | undefined;
  readonly tolerations?: readonly DeviceToleration[] | undefined;
}

export interface DeviceSelector {
  readonly cel?: CELDeviceSelector | undefined;
}

export interface DeviceSubRequest {
  readonly allocationMode?: string | undefined;
  readonly capacity?: CapacityRequirements | undefined;
  readonly count?: number | undefined;
  readonly deviceClassName: string;
  readonly name: string;
  readonly selectors?: readonly DeviceSelector[] | undefined;
  readonly tolerations?: readonly DeviceToleration[] | undefined;
}

export type DeviceTaint = Taint;

export type DeviceToleration = Toleration;

export interface ExactDeviceRequest {
  readonly adminAccess?: boolean | undefined;
  readonly allocationMode?: string | undefined;
  readonly capacity?: CapacityRequirements | undefined;
  readonly count?: number | undefined;
  readonly deviceClassName: string;
  readonly selectors?: readonly DeviceSelector[] | undefined;
  readonly tolerations?: readonly DeviceToleration[] | undefined;
}

export interface NetworkDeviceData {
  readonly hardwareAddress?: string | undefined;
  readonly interfaceName?: string | undefined;
  readonly ips?: readonly string[] | undefined;
}

export interface NodeAllocatableResourceMapping {
  readonly allocationMultiplier?: string | number | undefined;
  readonly capacityKey?: string | undefined;
}

export interface OpaqueDeviceConfiguration {
  readonly driver: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ResourceResourceClaim extends ObjectFields {
  readonly spec: ResourceClaimSpec;
  readonly status?: ResourceClaimStatus | undefined;
}

export interface ResourceClaimConsumerReference {
  readonly apiGroup?: string | undefined;
  readonly name: string;
  readonly resource: string;
  readonly uid: string;
}

export interface ResourceClaimSpec {
  readonly devices?: DeviceClaim | undefined;
}

export interface ResourceClaimStatus {
  readonly allocation?: AllocationResult | undefined;
  readonly devices?: readonly AllocatedDeviceStatus[] | undefined;
  readonly reservedFor?: readonly ResourceClaimConsumerReference[] | undefined;
}

export interface ResourceClaimTemplate extends ObjectFields {
  readonly spec: ResourceClaimTemplateSpec;
}

export interface ResourceClaimTemplateSpec {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec: ResourceClaimSpec;
}

export interface ResourcePool {
  readonly generation: number;
  readonly name: string;
  readonly resourceSliceCount: number;
}

export interface ResourceSlice extends ObjectFields {
  readonly spec: ResourceSliceSpec;
}

export interface ResourceSliceSpec {
  readonly allNodes?: boolean | undefined;
  readonly devices?: readonly Device[] | undefined;
  readonly driver: string;
  readonly nodeName?: string | undefined;
  readonly nodeSelector?: NodeSelector | undefined;
  readonly perDeviceNodeSelection?: boolean | undefined;
  readonly pool: ResourcePool;
  readonly sharedCounters?: readonly CounterSet[] | undefined;
}

export interface PriorityClass extends ObjectFields {
  readonly description?: string | undefined;
  readonly globalDefault?: boolean | undefined;
  readonly preemptionPolicy?: string | undefined;
  readonly value?: number | undefined;
}

export interface CSIDriver extends ObjectFields {
  readonly spec: CSIDriverSpec;
}

export interface CSIDriverSpec {
  readonly attachRequired?: boolean | undefined;
  readonly fsGroupPolicy?: string | undefined;
  readonly nodeAllocatableUpdatePeriodSeconds?: number | undefined;
  readonly podInfoOnMount?: boolean | undefined;
  readonly preventPodSchedulingIfMissing?: boolean | undefined;
  readonly requiresRepublish?: boolean | undefined;
  readonly seLinuxMount?: boolean | undefined;
  readonly serviceAccountTokenInSecrets?: boolean | undefined;
  readonly storageCapacity?: boolean | undefined;
  readonly tokenRequests?: readonly StorageTokenRequest[] | undefined;
  readonly volumeLifecycleModes?: readonly string[] | undefined;
}

export interface CSINode extends ObjectFields {
  readonly spec: CSINodeSpec;
}

export interface CSINodeDriver {
  readonly allocatable?: VolumeNodeResources | undefined;
  readonly name: string;
  readonly nodeID: string;
  readonly topologyKeys?: readonly string[] | undefined;
}

export interface CSINodeSpec {
  readonly drivers: readonly CSINodeDriver[];
}

export interface CSIStorageCapacity extends ObjectFields {
  readonly capacity?: string | number | undefined;
  readonly maximumVolumeSize?: string | number | undefined;
  readonly nodeTopology?: LabelSelector | undefined;
  readonly storageClassName: string;
}

export interface StorageClass extends ObjectFields {
  readonly allowVolumeExpansion?: boolean | undefined;
  readonly allowedTopologies?: readonly TopologySelectorTerm[] | undefined;
  readonly mountOptions?: readonly string[] | undefined;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly provisioner: string;
  readonly reclaimPolicy?: string | undefined;
  readonly volumeBindingMode?: string | undefined;
}

export interface StorageTokenRequest {
  readonly audience: string;
  readonly expirationSeconds?: number | undefined;
}

export interface VolumeAttachment extends ObjectFields {
  readonly spec: VolumeAttachmentSpec;
  readonly status?: VolumeAttachmentStatus | undefined;
}

export interface VolumeAttachmentSource {
  readonly inlineVolumeSpec?: PersistentVolumeSpec | undefined;
  readonly persistentVolumeName?: string | undefined;
}

export interface VolumeAttachmentSpec {
  readonly attacher: string;
  readonly nodeName: string;
  readonly source: VolumeAttachmentSource;
}

export interface VolumeAttachmentStatus {
  readonly attachError?: VolumeError | undefined;
  readonly attached: boolean;
  readonly attachmentMetadata?: Readonly<Record<string, string>> | undefined;
  readonly detachError?: VolumeError | undefined;
}

export interface VolumeAttributesClass extends ObjectFields {
  readonly driverName: string;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

export interface VolumeError {
  readonly errorCode?: number | undefined;
  readonly message?: string | undefined;
  readonly time?: string | undefined;
}

export interface VolumeNodeResources {
  readonly count?: number | undefined;
}

export interface CustomResourceColumnDefinition {
  readonly description?: string | undefined;
  readonly format?: string | undefined;
  readonly jsonPath: string;
  readonly name: string;
  readonly priority?: number | undefined;
  readonly type: string;
}

export interface CustomResourceConversion {
  readonly strategy: string;
  readonly webhook?: WebhookConversion | undefined;
}

export interface CustomResourceDefinition extends ObjectFields {
  readonly spec: CustomResourceDefinitionSpec;
  readonly status?: CustomResourceDefinitionStatus | undefined;
}

export interface CustomResourceDefinitionCondition {
  readonly lastTransitionTime?: string | undefined;
  readonly message?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly reason?: string | undefined;
  readonly status: string;
  readonly type: string;
}

export interface CustomResourceDefinitionNames {
  readonly categories?: readonly string[] | undefined;
  readonly kind: string;
  readonly listKind?: string | undefined;
  readonly plural: string;
  readonly shortNames?: readonly string[] | undefined;
  readonly singular?: string | undefined;
}

export interface CustomResourceDefinitionSpec {
  readonly conversion?: CustomResourceConversion | undefined;
  readonly group: string;
  readonly names: CustomResourceDefinitionNames;
  readonly preserveUnknownFields?: boolean | undefined;
  readonly scope: string;
  readonly versions: readonly CustomResourceDefinitionVersion[];
}

export interface CustomResourceDefinitionStatus {
  readonly acceptedNames?: CustomResourceDefinitionNames | undefined;
  readonly conditions?: readonly CustomResourceDefinitionCondition[] | undefined;
  readonly observedGeneration?: number | undefined;
  readonly storedVersions?: readonly string[] | undefined;
}

export interface CustomResourceDefinitionVersion {
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[] | undefined;
  readonly deprecated?: boolean | undefined;
  readonly deprecationWarning?: string | undefined;
  readonly name: string;
  readonly schema?: CustomResourceValidation | undefined;
  readonly selectableFields?: readonly SelectableField[] | undefined;
  readonly served: boolean;
  readonly storage: boolean;
  readonly subresources?: CustomResourceSubresources | undefined;
}

export interface CustomResourceSubresourceScale {
  readonly labelSelectorPath?: string | undefined;
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
}

export interface CustomResourceSubresources {
  readonly scale?: CustomResourceSubresourceScale | undefined;
  readonly status?: Readonly<Record<string, unknown>> | undefined;
}

export interface CustomResourceValidation {
  readonly openAPIV3Schema?: JSONSchemaProps | undefined;
}

export interface ExternalDocumentation {
  readonly description?: string | undefined;
  readonly url?: string | undefined;
}

export interface JSONSchemaProps {
  readonly $ref?: string | undefined;
  readonly $schema?: string | undefined;
  readonly additionalItems?: unknown;
  readonly additionalProperties?: unknown;
  readonly allOf?: readonly JSONSchemaProps[] | undefined;
  readonly anyOf?: readonly JSONSchemaProps[] | undefined;
  readonly default?: unknown;
  readonly definitions?: Readonly<Record<string, JSONSchemaProps>> | undefined;
  readonly dependencies?: Readonly<Record<string, unknown>> | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly example?: unknown;
  readonly exclusiveMaximum?: boolean | undefined;
  readonly exclusiveMinimum?: boolean | undefined;
  readonly externalDocs?: ExternalDocumentation | undefined;
  readonly format?: string | undefined;
  readonly id?: string | undefined;
  readonly items?: unknown;
  readonly maxItems?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly maxProperties?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minItems?: number | undefined;
  readonly minLength?: number | undefined;
  readonly minProperties?: number | undefined;
  readonly minimum?: number | undefined;
  readonly multipleOf?: number | undefined;
  readonly not?: JSONSchemaProps | undefined;
  readonly nullable?: boolean | undefined;
  readonly oneOf?: readonly JSONSchemaProps[] | undefined;
  readonly pattern?: string | undefined;
  readonly patternProperties?: Readonly<Record<string, JSONSchemaProps>> | undefined;
  readonly properties?: Readonly<Record<string, JSONSchemaProps>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly title?: string | undefined;
  readonly type?: string | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly "x-kubernetes-embedded-resource"?: boolean | undefined;
  readonly "x-kubernetes-int-or-string"?: boolean | undefined;
  readonly "x-kubernetes-list-map-keys"?: readonly string[] | undefined;
  readonly "x-kubernetes-list-type"?: string | undefined;
  readonly "x-kubernetes-map-type"?: string | undefined;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean | undefined;
  readonly "x-kubernetes-validations"?: readonly ValidationRule[] | undefined;
}

export interface SelectableField {
  readonly jsonPath: string;
}

export type ApiextensionsServiceReference = AdmissionregistrationServiceReference;

export interface ValidationRule {
  readonly fieldPath?: string | undefined;
  readonly message?: string | undefined;
  readonly messageExpression?: string | undefined;
  readonly optionalOldSelf?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly rule: string;
}

export interface ApiextensionsWebhookClientConfig {
  readonly caBundle?: string | undefined;
  readonly service?: ApiextensionsServiceReference | undefined;
  readonly url?: string | undefined;
}

export interface WebhookConversion {
  readonly clientConfig?: ApiextensionsWebhookClientConfig | undefined;
  readonly conversionReviewVersions: readonly string[];
}

export interface Condition {
  readonly lastTransitionTime: string;
  readonly message: string;
  readonly observedGeneration?: number | undefined;
  readonly reason: string;
  readonly status: string;
  readonly type: string;
}

export interface LabelSelector {
  readonly matchExpressions?: readonly LabelSelectorRequirement[] | undefined;
  readonly matchLabels?: Readonly<Record<string, string>> | undefined;
}

export type LabelSelectorRequirement = NodeSelectorRequirement;

export interface ManagedFieldsEntry {
  readonly apiVersion?: string | undefined;
  readonly fieldsType?: string | undefined;
  readonly fieldsV1?: Readonly<Record<string, unknown>> | undefined;
  readonly manager?: string | undefined;
  readonly operation?: string | undefined;
  readonly subresource?: string | undefined;
  readonly time?: string | undefined;
}

export interface ObjectMeta {
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly creationTimestamp?: string | undefined;
  readonly deletionGracePeriodSeconds?: number | undefined;
  readonly deletionTimestamp?: string | undefined;
  readonly finalizers?: readonly string[] | undefined;
  readonly generateName?: string | undefined;
  readonly generation?: number | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly managedFields?: readonly ManagedFieldsEntry[] | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly ownerReferences?: readonly OwnerReference[] | undefined;
  readonly resourceVersion?: string | undefined;
  readonly selfLink?: string | undefined;
  readonly uid?: string | undefined;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly blockOwnerDeletion?: boolean | undefined;
  readonly controller?: boolean | undefined;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

export interface APIService extends ObjectFields {
  readonly spec?: APIServiceSpec | undefined;
  readonly status?: APIServiceStatus | undefined;
}

export type APIServiceCondition = DaemonSetCondition;

export interface APIServiceSpec {
  readonly caBundle?: string | undefined;
  readonly group?: string | undefined;
  readonly groupPriorityMinimum: number;
  readonly insecureSkipTLSVerify?: boolean | undefined;
  readonly service?: ApiregistrationServiceReference | undefined;
  readonly version?: string | undefined;
  readonly versionPriority: number;
}

export interface APIServiceStatus {
  readonly conditions?: readonly APIServiceCondition[] | undefined;
}

export interface ApiregistrationServiceReference {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly port?: number | undefined;
}
