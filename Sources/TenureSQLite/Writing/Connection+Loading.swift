import TenureCore
import TenureStore

extension Connection {
    /// Loads what a decision needs, inside the transaction of its change.
    func load(_ keys: LoadKeys, catalogVersion: Int64) throws(StoreError) -> Loaded {
        var loaded = Loaded(catalogVersion: catalogVersion)
        switch keys.license {
        case nil: break
        case .id(let id): loaded.license = try license(id)
        case .key(let hash, let product):
            loaded.license = try first(
                .licenseByKey, [.blob(hash), .slug(product.tenant), .slug(product.product)], License.read)
        case .activation(let id):
            loaded.activation = try first(.activationByID, [.id(id)], Activation.read)
            if let activation = loaded.activation { loaded.license = try license(activation.license) }
        }
        if let device = keys.seatsFor, let license = loaded.license {
            loaded.seats = try seats(of: license.id, for: device)
        }
        if let after = keys.releasesByHolderAfter, let license = loaded.license {
            loaded.releasesByHolder = try all(.releasesByHolder, [.license(license.id), .moment(after)]) { row in
                row.moment(0)
            }
        }
        if keys.catalog {
            loaded.catalog = try readCatalog()
            loaded.licensesPerPolicy = try countLicensesPerPolicy()
            loaded.licensesPerApp = try countLicensesPerApp()
        }
        if let tenant = keys.signingKeysOf {
            loaded.signingKeys = try all(.signingKeysOfTenant, [.slug(tenant)], SigningKeyRecord.read)
        }
        if let request = keys.answerTo {
            loaded.answer = try first(.rememberedAnswer, [.blob(request)], RememberedAnswer.read)
        }
        if let name = keys.setting {
            loaded.setting = try first(.setting, [.text(name)], { row in row.bytes(0) })
        }
        if let keys = keys.apps { loaded.apps = try load(keys) }
        if let ref = keys.account { loaded.account = try account(ref) }
        if let name = keys.trial { loaded.trial = try trial(name) }
        if let hash = keys.credential { loaded.credential = try credential(hash) }
        if let hash = keys.licenseCredential { loaded.licenseCredential = try licenseCredential(hash) }
        return loaded
    }

    private func license(_ id: LicenseID) throws(StoreError) -> License? {
        try first(.licenseByID, [.license(id)], License.read)
    }

    /// Counts no further than any policy's limit can reach, so that a license without a limit costs no more.
    private func seats(of license: LicenseID, for device: DeviceIdentity) throws(StoreError) -> Seats {
        let enough = Int64(Policy.highestActivationLimit + 1)
        let taken = try first(.seatsTaken, [.license(license), .integer(enough)], { row in Int(row.integer(0)) }) ?? 0
        guard let identity = device.code else { return Seats(taken: taken, known: nil) }
        let known = try first(.liveActivationOfDevice, [.license(license), .text(identity)], Activation.read)
        return Seats(taken: taken, known: known)
    }
}
