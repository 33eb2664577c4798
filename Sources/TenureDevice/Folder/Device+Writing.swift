import TenureCore
import TenureFormats

extension Device {
    /// The device as JSON; a license is kept as the document that it was verified from.
    func json() -> [UInt8] {
        JSONWriter.object { object in
            object.member("v", 1)
            object.member("deviceID", Base64.encode(id))
            object.member("model", model)
            object.member("os", systemVersion)
            object.member("server", server.text)
            object.member("domain", server.domain)
            object.member("account", account?.text)
            object.member("tokenFile", tokenFile)
            object.member("clockFile", clockFile)
            object.member("lastDailyJob", lastDailyJob?.seconds)
            object.array("apps") { list in
                for app in apps { list.object { app.write(to: &$0) } }
            }
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
        object.member("account", account?.text)
        object.member("license", license.map { Base64.encode($0.document) })
        object.member("ineligibleSince", ineligibleSince?.seconds)
        object.member("resolutionURL", resolutionURL)
    }
}
