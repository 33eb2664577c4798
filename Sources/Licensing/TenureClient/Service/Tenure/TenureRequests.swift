import TenureCore
package import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureLicensing

/// Builds the requests of the Tenure dialect (`Documentation/leases.md`).
package struct TenureRequests: Sendable {
    /// A request, and the nonce that its response must contain.
    struct SentRequest: Sendable {
        let request: OutgoingRequest
        let nonce: StatementNonce
    }

    let address: ServiceAddress
    let sdkKey: String?
    let device: DeviceHash

    /// Creates the requests for a product; `device` is the hash that identifies this device to the server.
    package init(_ address: ServiceAddress, sdkKey: String? = nil, device: DeviceHash) {
        self.address = address
        self.sdkKey = sdkKey
        self.device = device
    }

    func activate(key: String, name: String, system: DeviceSystem?) -> SentRequest {
        post("activate") { body in
            body.member("licenseKey", key)
            body.member("device", device.text)
            body.member("name", name)
            report(system, &body)
        }
    }

    func renew(_ activation: HeldActivation, name: String?, reporting system: DeviceSystem?) -> SentRequest {
        post("renew") { body in
            writeActivation(activation, &body)
            if let name { body.member("name", name) }
            report(system, &body)
        }
    }

    func release(_ activation: HeldActivation) -> SentRequest { post("release") { writeActivation(activation, &$0) } }

    func places(of activation: HeldActivation, lease: [UInt8], freeing other: String?) -> SentRequest {
        post(other == nil ? "devices" : "devices/release") { body in
            writeActivation(activation, &body)
            body.member("lease", String(decoding: lease, as: UTF8.self))
            if let other { body.member("release", other) }
        }
    }

    func trial(startedAt: Moment?, name: String, system: DeviceSystem?) -> SentRequest {
        post("trial") { body in
            body.member("device", device.text)
            if let startedAt { body.member("startedAt", startedAt.timestamp.seconds) }
            body.member("name", name)
            report(system, &body)
        }
    }

    func product() -> SentRequest { get("product") }

    private func writeActivation(_ activation: HeldActivation, _ body: inout JSONObjectWriter) {
        body.member("licenseKey", activation.key)
        body.member("device", device.text)
        body.member("activation", activation.activation)
    }

    private func report(_ system: DeviceSystem?, _ body: inout JSONObjectWriter) {
        guard let system else { return }
        body.member("system", system.name)
        if let version = system.version { body.member("systemVersion", version) }
    }

    private func post(_ action: String, _ body: (inout JSONObjectWriter) -> Void) -> SentRequest {
        let nonce = StatementNonce.random()
        let json = JSONWriter.object { object in
            object.member("nonce", nonce.description)
            body(&object)
        }
        return SentRequest(request: .post(url(action), json: json, headers: headers), nonce: nonce)
    }

    private func get(_ what: String) -> SentRequest {
        let nonce = StatementNonce.random()
        return SentRequest(request: .get(url(what) + "?nonce=\(nonce)", headers: headers), nonce: nonce)
    }

    private func url(_ action: String) -> String {
        address.url("/v1/\(address.product.tenant)/\(address.product.product)/leases/\(action)")
    }

    private var headers: Headers { sdkKey.map { ["Tenure-SDK-Key": $0] } ?? [:] }
}
