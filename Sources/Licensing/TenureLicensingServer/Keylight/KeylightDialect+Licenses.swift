import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureServerKit

extension KeylightDialect {
    private struct ActivationFields: Sendable {
        let key: PresentedKey
        let name: String
        let machineHash: String?
        let freeTierInstance: String?
    }

    /// Activates a license on a device.
    var activate: Endpoint {
        let fields = Fields { fields in
            ActivationFields(
                key: try fields.licenseKey(), name: try fields.required("instance_name", .reportedText),
                machineHash: try fields.optional("machine_hash", .keylightText),
                freeTierInstance: try fields.optional("free_tier_instance_id", .keylightText))
        }
        return Endpoint(
            "POST", "/{tenant}/{product}/activate", format: .keylight, catalog: .checkedByChange, authentication: app,
            reads: fields
        ) { [self] call in
            let (request, caller) = (call.input, call.caller)
            let device = PresentedDevice(
                machineHash: request.machineHash, freeTierInstance: request.freeTierInstance,
                instanceName: request.name,
                request: call.request.headers[Self.requestIDHeader])
            return try answer(
                to: try await licensing.activate(request.key, for: call, from: device), request.key, caller)
        }
    }

    private func answer(
        to outcome: LicensingContext.ActivationOutcome, _ key: PresentedKey, _ caller: AppCaller
    ) throws -> Endpoint.Conclusion {
        switch outcome {
        case .unknown(let refusal):
            return .refused(refusing(refusal, leading: "activated"))
        case .answered(let license, .activated(let activation, let terms, _)):
            let knownLicense = try findKnownLicense(
                license, by: key, terms, to: activation.id, caller.product, caller.snapshot)
            return .done(
                .json(
                    JSONWriter.object(room: 1_024) { body in
                        body.member("activated", true)
                        body.member("instance_id", activation.id.description)
                        knownLicense.write(into: &body)
                    }))
        case .answered(let license, .refused(let refusal, let terms, let existing)):
            let knownLicense = try findKnownLicense(
                license, by: key, terms, to: existing?.id, caller.product, caller.snapshot)
            return .refused(refusing(refusal, leading: "activated", knownLicense))
        }
    }

    private struct ValidationFields: Sendable {
        let key: PresentedKey
        let activation: ActivationID
    }

    /// Reports whether a device may continue to use its license.
    var validate: Endpoint {
        let fields = Fields { fields in
            let key = try fields.licenseKey()
            let instance = try fields.required("instance_id", .keylightText)
            // A text that isn't a UUID can't name an activation. The nil UUID, which is never issued, finds none.
            return ValidationFields(key: key, activation: ActivationID(text: instance) ?? ActivationID(high: 0, low: 0))
        }
        return Endpoint(
            "POST", "/{tenant}/{product}/validate", format: .keylight, catalog: .checkedByRead, authentication: app,
            reads: fields
        ) {
            [self] call, reads in
            let request = call.input
            return try answer(
                to: try licensing.validate(
                    request.key, for: call, activation: request.activation, under: call.caller.snapshot, &reads),
                request, call.caller.product)
        }
    }

    private func answer(
        to outcome: LicensingContext.ValidationOutcome, _ request: ValidationFields, _ product: Product
    ) throws -> Endpoint.Conclusion {
        switch outcome {
        case .unknown(let refusal):
            return .refused(refusing(refusal, leading: "valid"))
        case .answered(let license, .valid(let terms), let snapshot):
            let knownLicense = try findKnownLicense(
                license, by: request.key, terms, to: request.activation, product, snapshot)
            return .done(
                .json(
                    JSONWriter.object(room: 1_024) { body in
                        body.member("valid", true)
                        knownLicense.write(into: &body)
                    }))
        case .answered(let license, .refused(let refusal, let terms), let snapshot):
            let knownLicense = try findKnownLicense(
                license, by: request.key, terms, to: request.activation, product, snapshot)
            let isFinal = license.recordedState.isFinal && refusal.first.code != .licenseRekeyed
            return .refused(refusing(refusal, status: 422, leading: isFinal ? nil : "valid", knownLicense))
        }
    }

    /// The members of a response about a license, with a signed lease if terms are given.
    private func findKnownLicense(
        _ license: License, by key: PresentedKey, _ terms: LeaseTerms?, to activation: ActivationID?,
        _ product: Product, _ snapshot: CatalogSnapshot
    ) throws(ServerError) -> KnownLicense {
        var lease: KeylightLease?
        if let terms {
            let signing = try snapshot.keyRing(of: license.product.tenant).primary
            lease = try signing.signLease(terms, of: license, requested: key, activation: activation)
        }
        return KnownLicense(
            license: license, lease: lease, configuration: try configuration(of: product, snapshot))
    }

    /// Releases a device.
    ///
    /// The response is the same for every caller and every repetition; an unknown instance counts as released, unless
    /// the store may have lost it.
    var deactivate: Endpoint {
        let fields = Fields { fields in ActivationID(text: try fields.required("instance_id", .keylightText)) }
        return Endpoint(
            "POST", "/{tenant}/{product}/deactivate", format: .keylight, catalog: .checkedByChange, authentication: app,
            reads: fields
        ) { [self] call in
            if let activation = call.input {
                let released = try await licensing.context.deactivate(
                    activation, of: call.caller.product.ref, by: .device, under: call.caller.snapshot)
                if released == nil { try licensing.context.catalog.checkLoss() }
            }
            return .done(.json(JSONWriter.object(room: 32) { $0.member("deactivated", true) }))
        }
    }
}

extension FieldReader {
    /// Reads the license key as typed; white space alone counts as missing.
    fileprivate mutating func licenseKey() throws(Failure) -> PresentedKey {
        guard let key = PresentedKey(try required("license_key", .keylightKey)) else {
            throw Failure(FieldFault("license_key", .missing(must: "a license key")))
        }
        return key
    }
}

extension FieldType where Value == String {
    /// A text of at most 256 bytes, which is what Keylight's apps send.
    static let keylightText: FieldType = .text(longest: 256)

    /// A license key, as long as the longest imported one.
    static let keylightKey: FieldType = .text(longest: LicenseKeyText.longest)
}
