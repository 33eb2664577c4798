import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplaceClient

extension Device {
    /// Reads a device from JSON that ``json()`` wrote, and verifies its licenses again.
    init(json: [UInt8], file: String) throws(DeviceError) {
        guard let object = try? FlatObject(scanning: json), object.integer("v").value == 1,
            let id = object.string("deviceID").value.flatMap(Base64.decode),
            let model = object.string("model").value, let systemVersion = object.string("os").value,
            let server = object.string("server").value.flatMap({
                ServerAddress($0, domain: object.string("domain").value)
            }),
            let apps = object.objects("apps").value, let storedCertificates = object.object("certificates").value
        else {
            throw DeviceError(
                .badFolder, "The file \(file) isn't a device file. Create a new device in another folder.")
        }
        self.init(id: id, model: model, systemVersion: systemVersion, server: server)
        account = object.string("account").value.flatMap { AccountID($0) }
        tokenFile = object.string("tokenFile").value
        if let files = object.object("otherTokenFiles").value {
            for name in files.names {
                guard let account = AccountID(name) else { continue }
                otherTokenFiles[account] = files.string(name).value
            }
        }
        clockFile = object.string("clockFile").value
        marketplaceName = object.string("marketplace").value
        lastUpdateQuestion = object.integer("lastUpdateQuestion").value.map { Timestamp(seconds: $0) }
        pollingIntervalHours = object.integer("pollingIntervalHours").value.map { Int(clamping: $0) }
        if let checks = object.object("ownUpdateChecks").value {
            for name in checks.names {
                guard let item = AppleItemID(text: name), let check = checks.object(name).value,
                    let at = check.integer("at").value, let hours = check.integer("pollingIntervalHours").value
                else { continue }
                ownUpdateChecks[item] = UpdateCheck(
                    at: Timestamp(seconds: at), pollingIntervalHours: Int(clamping: hours))
            }
        }
        if let storedWatches = object.object("watches").value {
            for name in storedWatches.names {
                guard let account = AccountID(name) else { continue }
                watches[account] = storedWatches.string(name).value.flatMap(LicenseWatch.init(text:))
            }
        }
        waiting = (object.objects("waiting").value ?? []).compactMap(WaitingApp.init)
        lastDailyJob = object.integer("lastDailyJob").value.map { Timestamp(seconds: $0) }
        let items = (object.strings("had").value ?? []).compactMap { AppleItemID(text: $0) }
        memory = InstallMemory(device: Base64.encode(id), items: Set(items))
        for url in storedCertificates.names {
            certificates[url] = storedCertificates.string(url).value.flatMap(Base64.decode)
        }
        let trusted = certificates.values.compactMap { try? X509Certificate($0) }
        for app in apps {
            guard let app = InstalledApp(app, trusting: trusted) else {
                throw DeviceError(
                    .badFolder,
                    "An app license in \(file) was changed, or its certificate is missing. Remove \(file)."
                )
            }
            self.apps.append(app)
        }
    }
}

extension InstalledApp {
    fileprivate init?(_ object: FlatObject, trusting certificates: [X509Certificate]) {
        guard let item = object.string("item").value.flatMap({ AppleItemID(text: $0) }),
            let version = object.string("version").value.flatMap({ AppleVersionID(text: $0) }),
            let asset = object.string("asset").value.flatMap({ AssetID($0) })
        else { return nil }
        var license: HeldLicense?
        if let text = object.string("license").value {
            guard let document = Base64.decode(text),
                let held = HeldLicense(document: document, item: item, trusting: certificates)
            else { return nil }
            license = held
        }
        self.init(
            item: item, version: version, asset: asset, bundleID: object.string("bundleID").value,
            account: object.string("account").value.flatMap { AccountID($0) }, license: license,
            resolutionURL: object.string("resolutionURL").value)
        givenName = object.string("name").value
        isMarketplace = object.boolean("isMarketplace").value ?? false
        if let short = object.string("shortVersion").value, let bundle = object.string("bundleVersion").value {
            versions = VersionTexts(short: short, bundle: bundle)
        }
        ineligibleSince = object.integer("ineligibleSince").value.map { Timestamp(seconds: $0) }
    }
}

extension Device {
    /// The device as JSON; each license is stored as the signed document that contains it.
    func json() -> [UInt8] {
        JSONWriter.object { object in
            object.member("v", 1)
            object.member("deviceID", base64: id)
            object.member("model", model)
            object.member("os", systemVersion)
            object.member("server", server.text)
            object.member("domain", server.domain)
            object.member("account", account?.text)
            object.member("tokenFile", tokenFile)
            if !otherTokenFiles.isEmpty {
                object.object("otherTokenFiles") { list in
                    for (account, path) in otherTokenFiles.sorted(by: { $0.key < $1.key }) {
                        list.member(account.text, path)
                    }
                }
            }
            object.member("clockFile", clockFile)
            object.member("marketplace", marketplaceName)
            object.member("lastDailyJob", lastDailyJob?.seconds)
            object.member("lastUpdateQuestion", lastUpdateQuestion?.seconds)
            object.member("pollingIntervalHours", pollingIntervalHours)
            if !ownUpdateChecks.isEmpty {
                object.object("ownUpdateChecks") { list in
                    for (item, check) in ownUpdateChecks.sorted(by: { $0.key < $1.key }) {
                        list.object(item.description) { body in
                            body.member("at", check.at.seconds)
                            body.member("pollingIntervalHours", check.pollingIntervalHours)
                        }
                    }
                }
            }
            object.object("watches") { list in
                for (account, watch) in watches.sorted(by: { $0.key < $1.key }) {
                    list.member(account.text, watch.text)
                }
            }
            object.array("waiting") { list in
                for app in waiting { list.object { app.write(to: &$0) } }
            }
            object.array("apps") { list in
                for app in apps { list.object { app.write(to: &$0) } }
            }
            object.member("had", memory.items.sorted().map(\.description))
            object.object("certificates") { list in
                for (url, der) in certificates.sorted(by: { $0.key < $1.key }) { list.member(url, Base64.encode(der)) }
            }
        }
    }
}

extension InstalledApp {
    fileprivate func write(to object: inout JSONObjectWriter) {
        object.member("item", item.description)
        object.member("version", version.description)
        object.member("asset", asset.text)
        object.member("bundleID", bundleID)
        object.member("name", givenName)
        if isMarketplace { object.member("isMarketplace", true) }
        object.member("shortVersion", versions?.short)
        object.member("bundleVersion", versions?.bundle)
        object.member("account", account?.text)
        object.member("license", license.map { Base64.encode($0.document) })
        object.member("ineligibleSince", ineligibleSince?.seconds)
        object.member("resolutionURL", resolutionURL)
    }
}
