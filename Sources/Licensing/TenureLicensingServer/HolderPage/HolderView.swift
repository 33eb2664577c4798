import TenureCore
import TenureLicensing
import TenureServerKit

/// The page of one license: its status, why it doesn't work and what helps, and its devices.
struct HolderView: Sendable {
    /// The data that the page shows.
    struct Contents: Sendable, Hashable {
        let license: License
        /// The product's display name.
        let product: String
        let policy: Policy
        let explanation: License.Explanation
        /// The activated devices under their public ids.
        let devices: DeviceList
        /// The releases that the holder has left; `nil` if the policy allows none.
        let left: SelfRelease.Remaining?
        /// Where the license can be renewed; `nil` if the catalog doesn't say.
        let renewal: PageLink?
        /// The time at which the page is rendered.
        let now: Timestamp
    }

    let contents: Contents
    let frame: PageFrame
    let status: Status
    let names: DeviceNames

    var license: License { contents.license }
    var now: Timestamp { contents.now }
    var language: PageLanguage { frame.language }

    init(_ contents: Contents, in frame: PageFrame) {
        self.contents = contents
        self.frame = frame
        status = Status(contents)
        names = DeviceNames(contents.devices.active, in: frame.language)
    }

    var page: Page {
        Page(title: contents.product) {
            Tag.h1 { Tag.bdi { contents.product } }
            about
            why
            devices
        }
    }

    private var about: Markup {
        let name = ElementID("about")
        return Tag.section(.class("card"), .labelled(by: name)) {
            Tag.div(.class("device")) {
                badge
                if license.isTest { Tag.span(.class("mark")) { say(.testLicense) } }
            }
            Tag.h2(.id(name)) { say(.yourLicense) }
            Tag.dl(.class("facts")) {
                Tag.fact(say(.plan)) { Tag.bdi { contents.policy.name } }
                Tag.fact(say(.key)) { license.key.masked }
                end
            }
            if let renewal = contents.renewal, case .at = license.ending(at: now), !status.isStopped {
                Tag.div(.class("acts")) {
                    if status.needsRenewal {
                        Tag.a(.class("button"), .href(renewal)) { say(.renew) }
                    } else {
                        Tag.a(.class("button plain"), .href(renewal)) { say(.renew) }
                    }
                }
            }
        }
    }

    private var devices: Markup {
        let name = ElementID("devices")
        let hidden = contents.devices.hidden
        return Tag.section(.class("app"), .labelled(by: name)) {
            Tag.h2(.id(name)) { FrameText.yourDevices(in: language) }
            Tag.div(.class("sentences")) {
                Tag.p { inUse }
                for sentence in room { Tag.p { sentence } }
                for sentence in allowance { Tag.p(.class("soft")) { sentence } }
            }
            Tag.div(.class("cards")) {
                for (index, device) in names.devices.enumerated() {
                    card(of: device, index + 1)
                }
            }
            if hidden > 0 { Tag.p(.class("soft")) { say(.devicesHidden, count: hidden) } }
        }
    }

    /// A time, followed by how far it is from now.
    func time(_ label: String, _ time: Timestamp) -> Markup {
        Tag.fact(label) {
            time.markup(in: frame.locale)
            language.aside(time.distance(from: now, in: language))
        }
    }

    /// A text of the page in its language; `values` replace the text's placeholders, and `count` selects the singular
    /// or plural.
    func say(
        _ text: LicensePageText, count: Int? = nil, _ values: KeyValuePairs<String, String> = [:]
    ) -> String { text(in: language, count: count, values) }
}
