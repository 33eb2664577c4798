package import TenureCore
package import TenureFormats
package import TenureHTTPClient

extension RetryAfter {
    /// What an answer's fields ask for; nil when there is nothing, or nothing that can be read.
    package static func seconds(in fields: HTTPFields, now: Timestamp) -> Int64? {
        seconds(fields["Retry-After"], answered: fields["Date"], now: now)
    }
}
