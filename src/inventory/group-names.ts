/** The names by which kpt and Keelson know an inventory; shared, so that either finds what is there. */
export const groupApiVersion = "kpt.dev/v1alpha1";
export const groupKind = "ResourceGroup";
export const inventoryIdLabel = "cli-utils.sigs.k8s.io/inventory-id";
export const owningInventoryAnnotation = "config.k8s.io/owning-inventory";
/** Marks a ResourceGroup that continues another one, and names it. */
export const continuationLabel = "keelson.dev/continues";
/** On the first ResourceGroup: the names of those that continue it, so that none can be overlooked. */
export const continuedByAnnotation = "keelson.dev/continued-by";
/** The id that a group had before it was overridden, while objects may still carry it. */
export const formerIdAnnotation = "keelson.dev/former-inventory-id";
/** Names the resource of a program that an object is. */
export const resourceNameAnnotation = "keelson.dev/name";
export const fieldManager = "keelson";
