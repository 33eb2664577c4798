-- Sends requests for random licenses; the URL's path decides whether they refresh or activate. Each line of the keys
-- file is "KEY INSTANCE DEVICE", and all lines have the same length.
local line_of, width, count
-- Lua can't hold more than about a gigabyte, which ten million lines exceed. Such a file is read line by line.
local longest = 500000000
local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

local function nonce()
    local letters = {}
    for place = 1, 21 do
        local digit = math.random(1, 64)
        letters[place] = digits:sub(digit, digit)
    end
    -- 22 digits hold 132 bits. A nonce has 128 bits, so the last digit's four lowest bits are zero.
    return table.concat(letters) .. "A"
end

local function hash()
    local words = {}
    for place = 1, 16 do words[place] = ("%04x"):format(math.random(0, 65535)) end
    return table.concat(words)
end

local bodies = {
    validate = function(key, instance)
        return ('{"license_key":"%s","instance_id":"%s"}'):format(key, instance)
    end,
    renew = function(key, instance, device)
        return ('{"nonce":"%s","device":"%s","licenseKey":"%s","activation":"%s"}'):format(nonce(), device, key, instance)
    end,
    -- Each request names a new device.
    activate = function(key)
        return ('{"license_key":"%s","instance_name":"Bench device","machine_hash":"%s"}'):format(key, hash())
    end,
}

function init(arguments)
    local file = assert(io.open(arguments[1], "rb"))
    width = #file:read("*l") + 1
    local size = file:seek("end")
    count = size / width
    if size <= longest then
        file:seek("set")
        local all = file:read("*a")
        line_of = function(number) return all:sub(number * width + 1, (number + 1) * width - 1) end
    else
        line_of = function(number)
            file:seek("set", number * width)
            return file:read("*l")
        end
    end
    math.randomseed(tonumber(arguments[2]))
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
end

function request()
    local line = line_of(math.random(0, count - 1))
    local space = line:find(" ", 1, true)
    local body = bodies[wrk.path:match("[^/]+$")]
    return wrk.format(nil, nil, nil, body(
        line:sub(1, space - 1), line:sub(space + 1, space + 36), line:sub(space + 38)))
end
