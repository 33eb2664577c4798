import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTPClient

/// Writes the requests of Keylight's API (`spec/keylight.md` §1.3).
///
/// Nothing is sent but what an answer depends on: no versions, no platform, no usage.
package struct KeylightRequests: Sendable {
    let address: ServiceAddress
    let sdkKey: String?
    let machineHash: String?

    /// Writes requests for a product; `machineHash` names this device to it, see ``MachineHash``.
    package init(_ address: ServiceAddress, sdkKey: String? = nil, machineHash: String? = nil) {
        self.address = address
        self.sdkKey = sdkKey
        self.machineHash = machineHash
    }

    func activate(key: String, name: String, freeTier: String?) -> HTTPRequest {
        post("activate") { body in
            body.member("license_key", key)
            body.member("instance_name", name)
            if let freeTier { body.member("free_tier_instance_id", freeTier) }
            if let machineHash { body.member("machine_hash", machineHash) }
        }
    }

    func validate(_ activation: HeldActivation) -> HTTPRequest {
        post("validate") { body in
            body.member("license_key", activation.key)
            body.member("instance_id", activation.activation)
            if let machineHash { body.member("machine_hash", machineHash) }
        }
    }

    func deactivate(_ activation: HeldActivation) -> HTTPRequest {
        post("deactivate") { body in
            body.member("license_key", activation.key)
            body.member("instance_id", activation.activation)
        }
    }

    func configuration() -> HTTPRequest { .get(url("config"), fields: fields) }

    private func post(_ action: String, _ body: (inout JSONObjectWriter) -> Void) -> HTTPRequest {
        .post(url(action), json: JSONWriter.object(body), fields: fields)
    }

    private func url(_ action: String) -> String {
        address.url("/\(address.product.tenant)/\(address.product.product)/\(action)")
    }

    private var fields: HTTPFields {
        var fields: HTTPFields = ["X-Keylight-Request-Id": Hex.encode(SecureRandom.bytes(4))]
        if let sdkKey { fields.add("X-Keylight-SDK-Key", sdkKey) }
        return fields
    }
}
