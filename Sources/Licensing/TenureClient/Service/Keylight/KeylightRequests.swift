import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureHTTPClient

/// Builds the requests of Keylight's API (`Documentation/keylight.md`).
///
/// They contain only what a response depends on: no versions, no platform, no usage data.
package struct KeylightRequests: Sendable {
    let address: ServiceAddress
    let sdkKey: String?
    let machineHash: String?

    /// Creates the requests for a product; `machineHash` identifies this device to the server, see ``MachineHash``.
    package init(_ address: ServiceAddress, sdkKey: String? = nil, machineHash: String? = nil) {
        self.address = address
        self.sdkKey = sdkKey
        self.machineHash = machineHash
    }

    func activate(key: String, name: String, freeTier: String?) -> OutgoingRequest {
        post("activate") { body in
            body.member("license_key", key)
            body.member("instance_name", name)
            if let freeTier { body.member("free_tier_instance_id", freeTier) }
            if let machineHash { body.member("machine_hash", machineHash) }
        }
    }

    func validate(_ activation: HeldActivation) -> OutgoingRequest {
        post("validate") { body in
            body.member("license_key", activation.key)
            body.member("instance_id", activation.activation)
            if let machineHash { body.member("machine_hash", machineHash) }
        }
    }

    func deactivate(_ activation: HeldActivation) -> OutgoingRequest {
        post("deactivate") { body in
            body.member("license_key", activation.key)
            body.member("instance_id", activation.activation)
        }
    }

    func configuration() -> OutgoingRequest { .get(url("config"), headers: headers) }

    private func post(_ action: String, _ body: (inout JSONObjectWriter) -> Void) -> OutgoingRequest {
        .post(url(action), json: JSONWriter.object(body), headers: headers)
    }

    private func url(_ action: String) -> String {
        address.url("/\(address.product.tenant)/\(address.product.product)/\(action)")
    }

    private var headers: Headers {
        var headers: Headers = ["X-Keylight-Request-Id": Hex.encode(SecureRandom.bytes(4))]
        if let sdkKey { headers.add("X-Keylight-SDK-Key", sdkKey) }
        return headers
    }
}
