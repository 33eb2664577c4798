/// A license key and the activation it was given on this device.
package struct HeldActivation: Sendable, Hashable, Codable {
    /// The key as the person typed it.
    package let key: String
    /// What the server calls the bond.
    package let activation: String

    package init(key: String, activation: String) {
        self.key = key
        self.activation = activation
    }
}
